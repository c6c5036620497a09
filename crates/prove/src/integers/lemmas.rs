//! The lemmas behind the theorems of the built-in solver about [products and quotients](planish_smt), and behind division
//! by [multiplication](crate::magic), with their certificates.
//!
//! Names of one letter are integers. N is 2^w, and a word is its number: from 0 to N - 1 unsigned, from -N/2 to N/2 - 1 signed. A quotient that is
//! rounded down is the q of x = d q + r with 0 <= r <= d - 1, for x of any sign and d > 0; that it is the only one is the lemma
//! *quotient*. A truncated quotient is that of the sizes, with the sign of both signs, and its remainder has the sign of the dividend.

use super::{Conclusion, Lemma};

/// All of them.
pub const LEMMAS: &[Lemma] = &[
    Lemma {
        name: "quotient",
        says: "A quotient and remainder are the only ones: that another pair has the larger quotient is a contradiction.",
        lets: &[],
        given: &[("C", "c - 1"), ("R", "r"), ("S", "c - 1 - r'"), ("D", "q - q' - 1")],
        zero: &[("E", "c*q + r - c*q' - r'")],
        then: &[Conclusion { what: "-1", at_least: "(C + 1)*D + R + S", multiples: &[("E", "-1")] }],
    },
    Lemma {
        name: "nested",
        says: "(x / a) / b = x / (a b), rounded down; of truncated quotients by their sizes, and of words where a b fits. \
               With powers of two (x >> a) >> b = x >> (a + b).",
        lets: &[("q", "b*p + s"), ("x", "a*q + r")],
        given: &[("A", "a - 1"), ("R", "r"), ("R'", "a - 1 - r"), ("S", "s"), ("S'", "b - 1 - s")],
        zero: &[],
        then: &[
            Conclusion { what: "x - a*b*p", at_least: "(A + 1)*S + R", multiples: &[] },
            Conclusion { what: "a*b*p + a*b - 1 - x", at_least: "(A + 1)*S' + R'", multiples: &[] },
        ],
    },
    Lemma {
        name: "rotations",
        says: "A word of three parts a, b and c, whose widths have the powers K, M and P of two, rotated to the left by the width of a is b, \
               c and a, and that rotated by the width of b is c, a and b: rotated by both.",
        lets: &[("x", "a*M*P + b*P + c"), ("y", "b*P*K + c*K + a"), ("z", "c*K*M + a*M + b")],
        given: &[("A", "K - 1 - a"), ("C", "P - 1 - c"), ("B", "M - 1 - b"), ("K'", "K"), ("M'", "M")],
        zero: &[],
        then: &[
            Conclusion { what: "y - b*(P*K) - (c*K + a)", at_least: "0", multiples: &[] },
            Conclusion { what: "P*K - 1 - (c*K + a)", at_least: "C*K' + A", multiples: &[] },
            Conclusion { what: "z - (c*K + a)*M - b", at_least: "0", multiples: &[] },
            Conclusion { what: "z - c*(K*M) - (a*M + b)", at_least: "0", multiples: &[] },
            Conclusion { what: "K*M - 1 - (a*M + b)", at_least: "A*M' + B", multiples: &[] },
        ],
    },
    Lemma {
        name: "remainders",
        says: "(x % a) % b = x % b where a = b k: x is b times something and the remainder of the remainder.",
        lets: &[("a", "b*k"), ("r", "b*p + s"), ("x", "a*q + r")],
        given: &[],
        zero: &[],
        then: &[Conclusion { what: "x - b*(k*q + p) - s", at_least: "0", multiples: &[] }],
    },
    Lemma {
        name: "multiple",
        says: "(x a) / b = x (a / b) and (x a) % b = 0 where a = b k and x a fits; with k = 1, (x b) / b = x.",
        lets: &[("a", "b*k")],
        given: &[],
        zero: &[],
        then: &[Conclusion { what: "x*a - b*(x*k)", at_least: "0", multiples: &[] }],
    },
    Lemma {
        name: "part",
        says: "(x a) / b = x / m and (x a) % b = (x % m) a where b = a m and x a fits.",
        lets: &[("b", "a*m"), ("x", "m*q + r")],
        given: &[("A", "a - 1"), ("R", "r"), ("R'", "m - 1 - r")],
        zero: &[],
        then: &[
            Conclusion { what: "x*a - b*q", at_least: "(A + 1)*R", multiples: &[] },
            Conclusion { what: "b*q + b - 1 - x*a", at_least: "(A + 1)*R' + A", multiples: &[] },
            Conclusion { what: "x*a - b*q - r*a", at_least: "0", multiples: &[] },
        ],
    },
    Lemma {
        name: "sum",
        says: "(n + c k) / c = n / c + k and (n + c k) % c = n % c where the sum fits, rounded down; truncated where both have one sign, \
               since then sizes add up.",
        lets: &[("n", "c*q + r")],
        given: &[],
        zero: &[],
        then: &[Conclusion { what: "n + c*k - c*(q + k) - r", at_least: "0", multiples: &[] }],
    },
    Lemma {
        name: "exact",
        says: "x - x % c is c times x / c. It divided by c = d K is n / K times the inverse of d, since K divides it.",
        lets: &[("x", "c*q + r"), ("n", "x - r"), ("c'", "d*K"), ("n'", "c'*q")],
        given: &[],
        zero: &[],
        then: &[
            Conclusion { what: "n - c*q", at_least: "0", multiples: &[] },
            Conclusion { what: "n' - K*(d*q)", at_least: "0", multiples: &[] },
        ],
    },
    Lemma {
        name: "inverse",
        says: "Modulo N: with c i = 1, c q i = q, so that a multiple of c is divided by c by a product.",
        lets: &[],
        given: &[],
        zero: &[("E", "c*i - 1 - N*t")],
        then: &[Conclusion { what: "c*q*i - q - N*(t*q)", at_least: "0", multiples: &[("E", "q")] }],
    },
    Lemma {
        name: "odd multiples",
        says: "Modulo N: with c i = 1, x c = y c only where x = y.",
        lets: &[],
        given: &[],
        zero: &[("E", "c*i - 1 - N*t"), ("F", "x*c - y*c - N*u")],
        then: &[Conclusion {
            what: "x - y - N*(u*i - t*x + t*y)",
            at_least: "0",
            multiples: &[("F", "i"), ("E", "y - x")],
        }],
    },
    Lemma {
        name: "odd numbers have inverses",
        says: "c c = 1 modulo 4 for an odd c, and what is an inverse modulo M becomes one modulo M M by i (2 - c i) (Hensel).",
        lets: &[("o", "2*k + 1"), ("j", "i*(2 - c*i)")],
        given: &[],
        zero: &[("E", "c*i - 1 - M*t")],
        then: &[
            Conclusion { what: "o*o - 1 - 4*(k*k + k)", at_least: "0", multiples: &[] },
            Conclusion { what: "c*j - 1 + M*M*(t*t)", at_least: "0", multiples: &[("E", "1 - c*i - M*t")] },
        ],
    },
    Lemma {
        name: "divisible",
        says: "x = c k + d gives (x - d) i = k modulo N, and k is at most m, the quotient of N - 1 - d = c m + r by c: that it is more \
               contradicts x <= N - 1. With -m <= k <= m the same of signed multiples; c is odd and divides no power of two but 1.",
        lets: &[("x", "c*k + d")],
        given: &[("C", "c - 1"), ("X", "c*m + r - c*k"), ("R'", "c - 1 - r"), ("K", "k - m - 1")],
        zero: &[("E", "c*i - 1 - N*t")],
        then: &[
            Conclusion { what: "(x - d)*i - k - N*(t*k)", at_least: "0", multiples: &[("E", "k")] },
            Conclusion { what: "-1", at_least: "X + (C + 1)*K + R'", multiples: &[] },
        ],
    },
    Lemma {
        name: "divisible and back",
        says: "k = (x - d) i modulo N gives x = c k + d modulo N, and with k <= m that is a number from d to N - 1, so x itself; d < c \
               is its remainder.",
        lets: &[],
        given: &[("C", "c - 1"), ("K", "m - k"), ("R", "r")],
        zero: &[("E", "c*i - 1 - N*t"), ("G", "k - (x - d)*i - N*u")],
        then: &[
            Conclusion {
                what: "c*k - (x - d) - N*(x*t - d*t + c*u)",
                at_least: "0",
                multiples: &[("G", "c"), ("E", "x - d")],
            },
            Conclusion { what: "c*m + r - c*k", at_least: "(C + 1)*K + R", multiples: &[] },
        ],
    },
    Lemma {
        name: "ordered",
        says: "x < y gives x c < y c where c > 0, and y c < x c where c = -n < 0; so of products that fit all orders are those of the \
               factors.",
        lets: &[],
        given: &[("D", "y - x - 1"), ("C", "c - 1"), ("N", "n - 1")],
        zero: &[],
        then: &[
            Conclusion { what: "y*c - x*c - 1", at_least: "(C + 1)*D + C", multiples: &[] },
            Conclusion { what: "x*(0 - n) - y*(0 - n) - 1", at_least: "(N + 1)*D + N", multiples: &[] },
        ],
    },
    Lemma {
        name: "between",
        says: "a <= x <= b, and a c and b c from l to u, put x c from l to u, for c >= 0 and for c = -n <= 0.",
        lets: &[],
        given: &[
            ("P", "x - a"),
            ("Q", "b - x"),
            ("C", "c"),
            ("L", "a*c - l"),
            ("U", "u - b*c"),
            ("N", "n"),
            ("L'", "b*(0 - n) - l"),
            ("U'", "u - a*(0 - n)"),
        ],
        zero: &[],
        then: &[
            Conclusion { what: "x*c - l", at_least: "P*C + L", multiples: &[] },
            Conclusion { what: "u - x*c", at_least: "Q*C + U", multiples: &[] },
            Conclusion { what: "x*(0 - n) - l", at_least: "Q*N + L'", multiples: &[] },
            Conclusion { what: "u - x*(0 - n)", at_least: "P*N + U'", multiples: &[] },
        ],
    },
    Lemma {
        name: "zero",
        says: "x y > 0 where x > 0 and y > 0; so a product that fits is 0 only where a factor is.",
        lets: &[],
        given: &[("X", "x - 1"), ("Y", "y - 1")],
        zero: &[],
        then: &[Conclusion { what: "x*y - 1", at_least: "X*Y + X + Y", multiples: &[] }],
    },
    Lemma {
        name: "monotone",
        says: "x <= a gives x c <= a c where c >= 0, and a c <= x c where c = -n <= 0. A product of twice the width is that of the numbers.",
        lets: &[],
        given: &[("D", "a - x"), ("C", "c"), ("N", "n")],
        zero: &[],
        then: &[
            Conclusion { what: "a*c - x*c", at_least: "D*C", multiples: &[] },
            Conclusion { what: "x*(0 - n) - a*(0 - n)", at_least: "D*N", multiples: &[] },
        ],
    },
    Lemma {
        name: "ordered quotients",
        says: "x <= a gives for the quotients q of x and p of a by c > 0 that q <= p; 0 < c <= d gives for q of x >= 0 by c and p by d \
               that p <= q: that it is more is a contradiction. Rounded down; of truncated quotients by their sizes, and of others by the \
               signs of both operands, as x / -c is -x / c, and of rounded down ones below 0 since x / c <= x / d as fractions. Of one \
               quotient q the remainders t of x and t' of a are t <= t'.",
        lets: &[],
        given: &[
            ("C", "c - 1"),
            ("A", "a - x"),
            ("R", "r"),
            ("S", "c - 1 - s"),
            ("H", "q - p - 1"),
            ("D", "d - c"),
            ("Q", "q'"),
            ("R'", "c - 1 - r'"),
            ("S'", "s'"),
            ("H'", "p' - q' - 1"),
        ],
        zero: &[
            ("E", "x - c*q - r"),
            ("F", "a - c*p - s"),
            ("G", "c*q' + r' - d*p' - s'"),
            ("E'", "x - c*q - t"),
            ("F'", "a - c*q - t'"),
        ],
        then: &[
            Conclusion {
                what: "-1",
                at_least: "A + (C + 1)*H + R + S",
                multiples: &[("E", "1"), ("F", "-1")],
            },
            Conclusion {
                what: "-1",
                at_least: "(C + 1)*H' + D*(Q + 1 + H') + R' + S'",
                multiples: &[("G", "1")],
            },
            Conclusion { what: "t' - t", at_least: "A", multiples: &[("E'", "1"), ("F'", "-1")] },
        ],
    },
    Lemma {
        name: "compared",
        says: "The quotient q of x by y > 0, rounded down, is below d exactly where x is below d y: q <= d - 1 gives x <= d y - 1, and d <= q \
               gives d y <= x. With d + 1 for d it is at most d exactly where x is below d y + y. Rounded to zero it is that of the sizes, so \
               where d is not on the side of x it is decided by signs.",
        lets: &[("x", "y*q + r")],
        given: &[("Y", "y - 1"), ("R", "r"), ("R'", "y - 1 - r"), ("Less", "d - 1 - q"), ("More", "q - d")],
        zero: &[],
        then: &[
            Conclusion { what: "d*y - 1 - x", at_least: "(Y + 1)*Less + R'", multiples: &[] },
            Conclusion { what: "x - d*y", at_least: "(Y + 1)*More + R", multiples: &[] },
        ],
    },
    Lemma {
        name: "negated",
        says: "With x = y q + r also -x = y (-q) + (-r), x = (-y) (-q) + r and -x = (-y) q + (-r). The sizes of remainders and divisors stay, and a \
               remainder has the sign of its dividend, so these are quotients and remainders. Rounded down, -x - 1 = y (-q - 1) + (y - 1 - r).",
        lets: &[("x", "y*q + r")],
        given: &[],
        zero: &[],
        then: &[
            Conclusion { what: "0 - x - y*(0 - q) + r", at_least: "0", multiples: &[] },
            Conclusion { what: "x - (0 - y)*(0 - q) - r", at_least: "0", multiples: &[] },
            Conclusion { what: "0 - x - (0 - y)*q + r", at_least: "0", multiples: &[] },
            Conclusion { what: "0 - x - 1 - y*(0 - q - 1) - (y - 1 - r)", at_least: "0", multiples: &[] },
        ],
    },
    Lemma {
        name: "low bits",
        says: "p k times q l is p q times k l. With p = 2^i and q = 2^j that is 0 in the bits below i + j, and no bit is left of a word \
               where i + j is the width or more. And n = d c + r is r more than a multiple of p, where d = p m is one.",
        lets: &[("x", "p*k"), ("y", "q*l"), ("d", "p*m"), ("n", "d*c + r")],
        given: &[],
        zero: &[],
        then: &[
            Conclusion { what: "x*y - p*q*(k*l)", at_least: "0", multiples: &[] },
            Conclusion { what: "n - r - p*(m*c)", at_least: "0", multiples: &[] },
        ],
    },
    Lemma {
        name: "steps",
        says: "a < b gives a c + c <= b c where c >= 0, and b c <= a c + c where c = -n <= 0.",
        lets: &[],
        given: &[("D", "b - a - 1"), ("C", "c"), ("N", "n")],
        zero: &[],
        then: &[
            Conclusion { what: "b*c - a*c - c", at_least: "C*D", multiples: &[] },
            Conclusion { what: "a*(0 - n) - n - b*(0 - n)", at_least: "N*D", multiples: &[] },
        ],
    },
    Lemma {
        name: "ranges",
        says: "-H <= a, b <= H give -H H <= a b <= H H, each said twice over; 0 <= a <= M and b <= M give a b <= M M.",
        lets: &[],
        given: &[
            ("A", "H - a"),
            ("A'", "H + a"),
            ("B", "H - b"),
            ("B'", "H + b"),
            ("M", "m"),
            ("P", "p"),
            ("P'", "m - p"),
            ("Q'", "m - q"),
        ],
        zero: &[],
        then: &[
            Conclusion { what: "2*H*H - 2*a*b", at_least: "A*B' + A'*B", multiples: &[] },
            Conclusion { what: "2*H*H + 2*a*b", at_least: "A*B + A'*B'", multiples: &[] },
            Conclusion { what: "m*m - p*q", at_least: "M*P' + P*Q'", multiples: &[] },
        ],
    },
    Lemma {
        name: "magic from 0 on",
        says: "m d = P + e with 0 <= e <= S and P = N S, and m x = P q + t with 0 <= t <= P - 1, give d q <= x <= d q + d - 1 for \
               0 <= x <= N - 1: less and more are contradictions. Signed dividends have N/2 and 2 S in place of N and S.",
        lets: &[("P", "N*S")],
        given: &[
            ("D", "d - 1"),
            ("E", "e"),
            ("E'", "S - e"),
            ("S", "S - 1"),
            ("N", "N - 1"),
            ("T", "t"),
            ("T'", "P - 1 - t"),
            ("X", "x"),
            ("X'", "N - 1 - x"),
            ("More", "x - d*q - d"),
            ("Less", "d*q - x - 1"),
        ],
        zero: &[("M", "m*d - P - e"), ("Q", "m*x - P*q - t")],
        then: &[
            Conclusion {
                what: "-1",
                at_least: "(N + 1)*(S + 1)*More + E*X + (D + 1)*T' + D",
                multiples: &[("Q", "0 - d"), ("M", "x")],
            },
            Conclusion {
                what: "-1",
                at_least: "(N + 1)*(S + 1)*Less + (D + 1)*T + E'*N + E*X' + S",
                multiples: &[("Q", "d"), ("M", "0 - x")],
            },
        ],
    },
    Lemma {
        name: "magic below 0",
        says: "m d = P + e with 1 <= e <= S and P = N S, and -m y = P q + t with 0 <= t <= P - 1, give d k <= y <= d k + d - 1 with \
               k = -(q + 1) for 1 <= y <= N, which is N/2 of words: less and more are contradictions.",
        lets: &[("P", "N*S")],
        given: &[
            ("D", "d - 1"),
            ("E", "e - 1"),
            ("E'", "S - e"),
            ("S", "S - 1"),
            ("N", "N - 1"),
            ("T", "t"),
            ("T'", "P - 1 - t"),
            ("Y", "y - 1"),
            ("Y'", "N - y"),
            ("More", "y + d*q"),
            ("Less", "0 - d - 1 - y - d*q"),
        ],
        zero: &[("M", "m*d - P - e"), ("Q", "m*y + P*q + t")],
        then: &[
            Conclusion {
                what: "-1",
                at_least: "(N + 1)*(S + 1)*More + (D + 1)*T + E*Y + E + Y",
                multiples: &[("Q", "0 - d"), ("M", "y")],
            },
            Conclusion {
                what: "-1",
                at_least: "(N + 1)*(S + 1)*Less + (D + 1)*T' + E'*(N + 1) + (E + 1)*Y' + D",
                multiples: &[("Q", "d"), ("M", "0 - y")],
            },
        ],
    },
];
