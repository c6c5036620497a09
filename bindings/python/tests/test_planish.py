"""What the module promises: `scripts/test-python` runs this with the module that it built."""

import pathlib
import tempfile
import threading
import unittest

import planish

POWER = """func power(x: i64, n: i64) -> i64 {
entry:
    jump head(n, 1)
head(left: i64, product: i64):
    branch left, body, done
body:
    more = mul(product, x)
    less = sub(left, 1)
    same = mul(less, 1)
    jump head(same, more)
done:
    return product
}
"""


class Programs(unittest.TestCase):
    def test_a_program_is_read_run_optimized_and_written(self):
        program = planish.read(POWER)
        self.assertEqual((program.dialect, program.functions, program.warnings), ("ssa", ["power"], ""))
        self.assertEqual(program.run("power", 3, 5), [243])
        report = program.optimize(validate=True)
        self.assertGreater(report.rewrites, 0)
        before, after = report.operations
        self.assertLess(after, before)
        self.assertEqual(program.run("power", 3, 5), [243])
        self.assertNotIn("mul(less, 1)", str(program))
        again = planish.read(program.write())
        self.assertEqual(again.write(), program.write())

    def test_a_remark_says_which_pass_and_rule_did_what_and_where(self):
        report = planish.read("func f(x: i64) -> i64 {\ne:\n    y = xor(x, -1)\n    z = add(y, 1)\n    return z\n}\n").optimize()
        ruled = [remark for remark in report.remarks if remark.rule]
        self.assertTrue(ruled, report.remarks)
        first = ruled[0]
        self.assertEqual((first.function, first.pass_name), ("f", "rewrite"))
        self.assertIn(first.rule, report.rules)
        self.assertIn(first.rule, str(first))
        self.assertEqual(sum(report.passes.values()), len(report.remarks))

    def test_fuel_and_passes_bound_what_is_done(self):
        nothing = planish.read(POWER)
        self.assertEqual(nothing.optimize(fuel=0).rewrites, 0)
        only = planish.read(POWER).optimize(passes="dead")
        self.assertEqual(only.rewrites, 0)

    def test_a_program_goes_from_dialect_to_dialect(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "abs.bril"
            path.write_text(
                "@main(a: int): int {\n  zero: int = const 0;\n  less: bool = lt a zero;\n  br less .minus .plus;\n"
                ".minus:\n  b: int = sub zero a;\n  ret b;\n.plus:\n  ret a;\n}\n"
            )
            program = planish.open(path)
            self.assertEqual(program.run("main", -7), [7])
            program.optimize()
            moved = planish.read(program.write("ssa"))
            self.assertEqual(moved.run("main", -7), [7])
            self.assertEqual(moved.run("main", 9), [9])

    def test_values_have_the_types_of_python(self):
        source = (
            "func f(a: i1, b: i8, c: f64, d: ref) -> i1, i8, f64, ref {\ne:\n"
            "    x = fadd(c, c)\n    return a, b, x, d\n}\n"
        )
        self.assertEqual(planish.read(source).run("f", True, 255, 1.5, None), [True, -1, 3.0, None])


class Refusals(unittest.TestCase):
    def refused(self, call, *words):
        with self.assertRaises(planish.Error) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_a_wrong_text_is_refused_with_its_place(self):
        self.refused(lambda: planish.read("func f(x: i64) -> i64 {\ne:\n    return y\n}\n", name="broken.ssa"), "broken.ssa:3:12", "`y`")
        self.refused(lambda: planish.read(POWER, "sas"), "`sas` is not a dialect")
        self.refused(lambda: planish.read(POWER, width=65), "65")
        with self.assertRaises(FileNotFoundError):
            planish.open("nowhere.ssa")

    def test_a_run_that_does_not_return_says_how_it_ends(self):
        program = planish.read(POWER)
        self.refused(lambda: program.run("cube", 1), "no function `cube`")
        self.refused(lambda: program.run("power", 1), "takes 2 arguments, 1 are given")
        self.refused(lambda: program.run("power", "x", 1), "not an argument of type i64")
        self.refused(lambda: program.run("power", 2**64, 1), "not an argument of type i64")
        self.refused(lambda: program.run("power", 2, -1, fuel=1000), "did not end within 1000 operations")

    def test_a_pass_that_is_none_is_refused_and_nothing_happens(self):
        program = planish.read(POWER)
        self.refused(lambda: program.optimize(passes="gvm"), "there is no pass `gvm`")
        self.refused(lambda: program.optimize(passes="heap"), "load-elimination")
        self.assertEqual(str(program), str(planish.read(POWER)))


class RulesOfOnesOwn(unittest.TestCase):
    GOOD = "halves: mul(xor(x, y), 0)\n    => 0\n"
    WRONG = "wrong: sub(x, y)\n    => add(x, y)\n"

    def test_a_rule_that_is_proved_is_used_and_one_that_is_not_is_not(self):
        rules = planish.prove(self.GOOD + self.WRONG)
        self.assertEqual([(proof.rule, proof.proved) for proof in rules.proofs], [("halves", True), ("wrong", False)])
        self.assertFalse(rules.proved)
        self.assertIn("wrong", rules.proofs[1].verdict)
        program = planish.read("func f(x: i64, y: i64) -> i64 {\ne:\n    z = sub(x, y)\n    return z\n}\n")
        self.assertEqual(program.optimize(rules=rules).rules, {})
        self.assertEqual(program.run("f", 5, 3), [2])

    def test_rules_of_which_none_is_proved_are_refused_unless_they_are_asked_for(self):
        rules = planish.prove(self.WRONG)
        source = "func f(x: i64, y: i64) -> i64 {\ne:\n    z = sub(x, y)\n    return z\n}\n"
        with self.assertRaisesRegex(planish.Error, "no rule is proved"):
            planish.read(source).optimize(rules=rules)
        program = planish.read(source)
        self.assertEqual(program.optimize(rules=rules, unproved=True).rules, {"wrong": 1})
        with self.assertRaisesRegex(planish.Error, "different"):
            planish.read(source).optimize(rules=rules, unproved=True, validate=True)

    def test_a_wrong_rule_text_is_refused_with_its_place(self):
        with self.assertRaisesRegex(planish.Error, "mine.rules:1"):
            planish.prove("x: add(\n", name="mine.rules")


class Module(unittest.TestCase):
    def test_passes_are_listed(self):
        self.assertIn("gcm", [name for name, _ in planish.passes()])

    def test_threads_work_side_by_side(self):
        results = []

        def work():
            program = planish.read(POWER)
            program.optimize()
            results.append(program.run("power", 2, 10))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [[1024]] * 4)


if __name__ == "__main__":
    unittest.main()
