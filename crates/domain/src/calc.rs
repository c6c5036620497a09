//! `calc!`: nested calls of [`Bits`](planish_ops::Bits) primitives as one expression.
//!
//! A primitive borrows its context, so `b.and(b.not(x), y)` does not borrow-check, and a transfer
//! function of twenty primitives would be twenty `let` lines in which the formula is lost.
//! `calc!(b; and(not(x), y))` binds the temporaries. Arguments are variables, fields of variables and
//! further calls; anything else is named first.

macro_rules! calc {
    ($b:ident; $x:ident) => { $x };
    ($b:ident; $x:ident . $f:ident) => { $x.$f };
    ($b:ident; $op:ident (
        $x:ident $(. $xf:ident)? $( ( $($xi:tt)* ) )?
    )) => {{
        let x = calc!($b; $x $(. $xf)? $(( $($xi)* ))?);
        $b.$op(x)
    }};
    ($b:ident; $op:ident (
        $x:ident $(. $xf:ident)? $( ( $($xi:tt)* ) )?,
        $y:ident $(. $yf:ident)? $( ( $($yi:tt)* ) )?
    )) => {{
        let x = calc!($b; $x $(. $xf)? $(( $($xi)* ))?);
        let y = calc!($b; $y $(. $yf)? $(( $($yi)* ))?);
        $b.$op(x, y)
    }};
    ($b:ident; $op:ident (
        $x:ident $(. $xf:ident)? $( ( $($xi:tt)* ) )?,
        $y:ident $(. $yf:ident)? $( ( $($yi:tt)* ) )?,
        $z:ident $(. $zf:ident)? $( ( $($zi:tt)* ) )?
    )) => {{
        let x = calc!($b; $x $(. $xf)? $(( $($xi)* ))?);
        let y = calc!($b; $y $(. $yf)? $(( $($yi)* ))?);
        let z = calc!($b; $z $(. $zf)? $(( $($zi)* ))?);
        $b.$op(x, y, z)
    }};
}

pub(crate) use calc;
