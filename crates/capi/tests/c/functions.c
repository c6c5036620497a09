/*
 * Everything that planish.h says, function by function: what is right is done, what is wrong is refused with its reason and
 * changes nothing.
 *
 * Carried out by scripts/check-c, with sanitizers and with valgrind. It prints nothing where all is well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planish.h"
#include "planish_trace.h"

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What stands in memory that nothing was written to. */
#define UNTOUCHED 0xdeadbeef

static const uint32_t I64 = PLANISH_TYPE_I64;

/* Whether the module says this of the last refusal. */
static bool says(const planish_module *module, const char *message) {
    if (strstr(planish_module_error(module), message)) return true;
    fprintf(stderr, "it says: %s\n", planish_module_error(module));
    return false;
}

#define REFUSED(call, status, message) CHECK((call) == (status) && says(module, message))

static uint32_t op(const char *name) {
    uint32_t number;
    CHECK(planish_op(name, &number) == PLANISH_OK);
    return number;
}

static planish_module *module_new(void) {
    planish_module *module = NULL;
    CHECK(planish_module_new(&module) == PLANISH_OK && module != NULL);
    return module;
}

static planish_module *module_of(const char *text) {
    planish_module *module = module_new();
    planish_status status = planish_module_read(module, "test.ssa", text, strlen(text));
    if (status != PLANISH_OK) fprintf(stderr, "%s\n", planish_module_error(module));
    CHECK(status == PLANISH_OK);
    return module;
}

static planish_optimizer *optimizer_new(void) {
    planish_optimizer *optimizer = NULL;
    CHECK(planish_optimizer_new(&optimizer) == PLANISH_OK && optimizer != NULL);
    return optimizer;
}

/* Whether the module is this text. */
static bool is(planish_module *module, const char *wanted) {
    const char *text = NULL;
    size_t length = 0;
    CHECK(planish_module_text(module, &text, &length) == PLANISH_OK && strlen(text) == length);
    if (strcmp(text, wanted) == 0) return true;
    fprintf(stderr, "it is:\n%s", text);
    return false;
}

static planish_datum integer(uint32_t ty, int64_t number) {
    return (planish_datum){.ty = ty, .integer = number, .real = 0};
}

/* The only result of a run of a function on some integers of 64 bits. */
static int64_t run(planish_module *module, const char *name, const int64_t *numbers, size_t count) {
    planish_datum arguments[4];
    planish_outcome outcome;
    uint32_t function;
    for (size_t at = 0; at < count; at++) arguments[at] = integer(I64, numbers[at]);
    CHECK(planish_function_find(module, name, &function) == PLANISH_OK);
    CHECK(planish_run(module, function, arguments, count, 100000, NULL, NULL, &outcome) == PLANISH_OK);
    if (outcome.end != PLANISH_OUTCOME_RETURN) fprintf(stderr, "%s ends with %d: %s\n", name, (int)outcome.end, outcome.reason);
    CHECK(outcome.end == PLANISH_OUTCOME_RETURN && outcome.count == 1);
    CHECK(outcome.results[0].ty == I64 && strcmp(outcome.reason, "") == 0);
    return outcome.results[0].integer;
}

/* ---- Names and numbers ------------------------------------------------------------------------------------- */

static void names(void) {
    const char *name = NULL;
    uint32_t number = UNTOUCHED;
    CHECK(planish_abi() == PLANISH_ABI && strchr(planish_version(), '.') != NULL);
    for (number = 0; planish_op_name(number, &name) == PLANISH_OK; number++) CHECK(op(name) == number);
    CHECK(number > 100);
    CHECK(planish_op_name(PLANISH_NONE, &name) == PLANISH_NO_SUCH_NAME);
    CHECK(planish_op_name(0, NULL) == PLANISH_NULL && planish_op(NULL, &number) == PLANISH_NULL);
    CHECK(planish_op("ad", &number) == PLANISH_NO_SUCH_NAME && planish_op("\xff", &number) == PLANISH_TEXT);
}

/* ---- Text -------------------------------------------------------------------------------------------------- */

static const char POWER[] =
    "func power(v0: i64, v1: i64) -> i64 {\n"
    "entry:\n"
    "    jump head(v0, v1, 1)\n"
    "head(v2: i64, v3: i64, v4: i64):\n"
    "    v5 = and(v3, 1)\n"
    "    branch v5, odd, even(v4)\n"
    "odd:\n"
    "    v6 = mul(v4, v2)\n"
    "    jump even(v6)\n"
    "even(v7: i64):\n"
    "    v8 = mul(v2, v2)\n"
    "    v9 = urshift(v3, 1)\n"
    "    branch v9, head(v8, v9, v7), done\n"
    "done:\n"
    "    return v7\n"
    "}\n";

static void texts(void) {
    planish_module *module = module_of(POWER);
    planish_error error;
    planish_signature signature;
    const char *name = NULL, *text = NULL;
    size_t count = 0, length;
    uint32_t function = UNTOUCHED, word = UNTOUCHED;
    CHECK(is(module, POWER));
    CHECK(planish_module_verify(module) == PLANISH_OK);
    CHECK(planish_module_functions(module, &count) == PLANISH_OK && count == 1);
    CHECK(planish_function_find(module, "power", &function) == PLANISH_OK && function == 0);
    REFUSED(planish_function_find(module, "tower", &function), PLANISH_NO_SUCH_NAME, "there is no `tower`");
    CHECK(planish_function_name(module, 0, &name) == PLANISH_OK && strcmp(name, "power") == 0);
    REFUSED(planish_function_name(module, 1, &name), PLANISH_NO_SUCH_NAME, "no function 1");
    CHECK(planish_function_size(module, 0, &count) == PLANISH_OK && count == 4);
    CHECK(planish_function_signature(module, 0, &signature) == PLANISH_OK);
    CHECK(signature.param_count == 2 && signature.params[1] == I64 && signature.result_count == 1 && signature.results[0] == I64);
    REFUSED(planish_module_read(module, "again", "", 0), PLANISH_REFUSED, "empty module");
    CHECK(planish_module_error_at(module, 0, &error) == PLANISH_END);
    planish_module_free(module);

    /* Every error has its place, and the module is as it was. */
    module = module_new();
    const char *wrong = "func f(v0: i64) -> i64 {\na:\n    v1 = mull(v0, v0)\n    v2 = add(v0, 1.5)\n    return v0\n}\n";
    REFUSED(planish_module_read(module, "wrong.ssa", wrong, strlen(wrong)), PLANISH_UNREADABLE, "wrong.ssa:3:10");
    CHECK(planish_module_error_at(module, 0, &error) == PLANISH_OK && error.line == 3 && error.column == 10);
    CHECK(strstr(error.message, "v1 = mull(v0, v0)") != NULL);
    CHECK(planish_module_error_at(module, 1, &error) == PLANISH_OK && error.line == 4);
    CHECK(planish_module_error_at(module, 2, &error) == PLANISH_END && error.line == 4);
    CHECK(planish_module_error_at(module, 0, NULL) == PLANISH_NULL && planish_module_error_at(NULL, 0, &error) == PLANISH_NULL);
    REFUSED(planish_module_read(module, "bytes", "\xff\n", 2), PLANISH_UNREADABLE, "not UTF-8");
    const char *loose = "func f(a: i64) -> i64 {\nx:\n    branch a, y, z\ny:\n    b = add(a, 1)\n    jump z\nz:\n    return b\n}\n";
    CHECK(planish_module_read(module, "loose", loose, strlen(loose)) == PLANISH_INVALID);
    CHECK(planish_module_error_at(module, 0, &error) == PLANISH_OK && error.line == 0 && strstr(error.message, "V12"));
    CHECK(is(module, "") && planish_module_functions(module, &count) == PLANISH_OK && count == 0);
    REFUSED(planish_module_read(module, "null", NULL, 1), PLANISH_NULL, "`text` is null");
    REFUSED(planish_module_read(module, NULL, "", 0), PLANISH_NULL, "`name` is null");
    REFUSED(planish_module_read(module, "much", "", SIZE_MAX), PLANISH_REFUSED, "cannot have");
    /* The length is what counts: nothing behind it is read. A text without functions is a straight line that does nothing. */
    CHECK(planish_module_read(module, "part", "class @C\n????", 9) == PLANISH_OK);
    CHECK(planish_function_find(module, "main", &function) == PLANISH_OK && function == 0);
    CHECK(planish_word_find(module, "C", &word) == PLANISH_OK && word == 0);
    CHECK(planish_word_name(module, word, &name) == PLANISH_OK && strcmp(name, "C") == 0);
    REFUSED(planish_word_name(module, 1, &name), PLANISH_NO_SUCH_WORD, "1 is no word");
    REFUSED(planish_word_find(module, "D", &word), PLANISH_NO_SUCH_NAME, "there is no `D`");
    REFUSED(planish_module_text(module, &text, NULL), PLANISH_NULL, "`length` is null");
    REFUSED(planish_module_text(module, NULL, &length), PLANISH_NULL, "`text` is null");
    planish_module_free(module);
    planish_module_free(NULL);
    CHECK(planish_module_new(NULL) == PLANISH_NULL && strcmp(planish_module_error(NULL), "") == 0);
    CHECK(planish_module_verify(NULL) == PLANISH_NULL && planish_module_functions(NULL, &count) == PLANISH_NULL);
}

/* ---- Building ---------------------------------------------------------------------------------------------- */

/* power, as above. */
static void build_power(planish_module *module) {
    const uint32_t three[] = {I64, I64, I64};
    uint32_t in[2], loop[3], next, function, head, odd, even, done, one, two, value[2];
    CHECK(planish_function_new(module, "power", three, 2, three, 1, in, &function) == PLANISH_OK);
    CHECK(planish_block_new(module, "head", three, 3, loop, &head) == PLANISH_OK);
    CHECK(planish_block_new(module, "odd", NULL, 0, NULL, &odd) == PLANISH_OK);
    CHECK(planish_block_new(module, "even", three, 1, &next, &even) == PLANISH_OK);
    CHECK(planish_block_new(module, "done", NULL, 0, NULL, &done) == PLANISH_OK);
    CHECK(planish_const_int(module, I64, 1, &one) == PLANISH_OK && planish_const_int(module, I64, 2, &two) == PLANISH_OK);
    const uint32_t begin[] = {in[0], in[1], one};
    CHECK(planish_build_jump(module, head, begin, 3) == PLANISH_OK);
    CHECK(planish_block_at(module, head) == PLANISH_OK);
    const uint32_t bit_of[] = {loop[1], two};
    CHECK(planish_build_op(module, op("urem"), bit_of, 2, value) == PLANISH_OK);
    const planish_target to_odd = {odd, NULL, 0}, to_even = {even, &loop[2], 1};
    CHECK(planish_build_branch(module, value[0], &to_odd, &to_even) == PLANISH_OK);
    CHECK(planish_block_at(module, odd) == PLANISH_OK);
    const uint32_t factors[] = {loop[2], loop[0]};
    CHECK(planish_build_op(module, op("mul"), factors, 2, value) == PLANISH_OK);
    CHECK(planish_build_jump(module, even, value, 1) == PLANISH_OK);
    CHECK(planish_block_at(module, even) == PLANISH_OK);
    const uint32_t square[] = {loop[0], loop[0]};
    CHECK(planish_build_op(module, op("mul"), square, 2, &value[0]) == PLANISH_OK);
    CHECK(planish_build_op(module, op("udiv"), bit_of, 2, &value[1]) == PLANISH_OK);
    const uint32_t again[] = {value[0], value[1], next};
    const planish_target to_head = {head, again, 3}, to_done = {done, NULL, 0};
    CHECK(planish_build_branch(module, value[1], &to_head, &to_done) == PLANISH_OK);
    CHECK(planish_block_at(module, done) == PLANISH_OK && planish_build_return(module, &next, 1) == PLANISH_OK);
    CHECK(planish_function_finish(module) == PLANISH_OK);
}

static void building(void) {
    planish_module *module = module_new();
    planish_optimizer *optimizer = optimizer_new();
    build_power(module);
    CHECK(run(module, "power", (const int64_t[]){3, 5}, 2) == 243);
    CHECK(planish_optimize(optimizer, module) == PLANISH_OK && is(module, POWER));
    CHECK(run(module, "power", (const int64_t[]){-2, 63}, 2) == INT64_MIN);
    planish_optimizer_free(optimizer);
    planish_module_free(module);
}

/* Constants, conversions, comparisons and types of any width. */
static void values(void) {
    planish_module *module = module_new();
    const uint32_t types[] = {PLANISH_TYPE_INT(12), PLANISH_TYPE_F32, PLANISH_TYPE_I1, PLANISH_TYPE_INT(16)};
    const uint32_t kept[] = {PLANISH_TYPE_INT(12), PLANISH_TYPE_F32, PLANISH_TYPE_I1, PLANISH_TYPE_I16};
    const uint32_t gives[] = {PLANISH_TYPE_I32, PLANISH_TYPE_F64, PLANISH_TYPE_I1, I64};
    uint32_t in[4], function, ty, pair[2], out[4], value = UNTOUCHED;
    CHECK(planish_function_new(module, "types", types, 4, gives, 4, in, &function) == PLANISH_OK);
    for (size_t at = 0; at < 4; at++) CHECK(planish_value_type(module, in[at], &ty) == PLANISH_OK && ty == kept[at]);
    REFUSED(planish_value_type(module, 99, &ty), PLANISH_NO_SUCH_VALUE, "no value 99");
    CHECK(planish_const_int(module, PLANISH_TYPE_INT(12), -2048, &pair[0]) == PLANISH_OK);
    CHECK(planish_const_int(module, PLANISH_TYPE_INT(12), 4095, &value) == PLANISH_OK);
    REFUSED(planish_const_int(module, PLANISH_TYPE_INT(12), 4096, &value), PLANISH_REFUSED, "4096 does not fit in i12");
    REFUSED(planish_const_int(module, PLANISH_TYPE_I8, -129, &value), PLANISH_REFUSED, "-129 does not fit in i8");
    REFUSED(planish_const_int(module, PLANISH_TYPE_F64, 1, &value), PLANISH_REFUSED, "no type of integers");
    REFUSED(planish_const_int(module, PLANISH_TYPE_INT(65), 1, &value), PLANISH_NO_SUCH_NAME, "no type");
    REFUSED(planish_const_real(module, I64, 1, &value), PLANISH_REFUSED, "no type of floats");
    CHECK(planish_build_typed(module, op("sext"), in, 1, PLANISH_TYPE_I32, &out[0]) == PLANISH_OK);
    REFUSED(planish_build_typed(module, op("sext"), in, 1, PLANISH_TYPE_I8, &value), PLANISH_REFUSED, "does not go from i12 to i8");
    REFUSED(planish_build_op(module, op("sext"), in, 1, &value), PLANISH_REFUSED, "has to be named");
    CHECK(planish_const_real(module, PLANISH_TYPE_F32, 0.5, &value) == PLANISH_OK);
    const uint32_t product[] = {in[1], value};
    CHECK(planish_build_op(module, op("fmul"), product, 2, &value) == PLANISH_OK);
    CHECK(planish_build_typed(module, op("float_convert"), &value, 1, PLANISH_TYPE_F64, &out[1]) == PLANISH_OK);
    pair[1] = in[0];
    CHECK(planish_build_typed(module, op("lt"), pair, 2, PLANISH_TYPE_I1, &out[2]) == PLANISH_OK);
    CHECK(planish_build_op(module, op("lt"), pair, 2, &out[3]) == PLANISH_OK);
    CHECK(planish_value_type(module, out[3], &ty) == PLANISH_OK && ty == I64);
    REFUSED(planish_build_op(module, op("add"), product, 2, &value), PLANISH_REFUSED, "operand 0 is of type f32");
    REFUSED(planish_build_op(module, op("add"), in, 2, &value), PLANISH_REFUSED, "`add`");
    REFUSED(planish_build_op(module, op("add"), in, 1, &value), PLANISH_REFUSED, "1 operands");
    REFUSED(planish_build_op(module, op("add"), NULL, 2, &value), PLANISH_NULL, "`operands` is null");
    REFUSED(planish_build_op(module, PLANISH_NONE, pair, 2, &value), PLANISH_NO_SUCH_NAME, "no operation");
    REFUSED(planish_build_op(module, op("add"), pair, 2, NULL), PLANISH_NULL, "`value` is null");
    REFUSED(planish_build_typed(module, op("add"), pair, 2, I64, &value), PLANISH_REFUSED, "gives (i12), not (i64)");
    REFUSED(planish_build_return(module, out, 3), PLANISH_REFUSED, "`types` gives (i32, f64, i1, i64), not (i32, f64, i1)");
    CHECK(planish_build_return(module, out, 4) == PLANISH_OK && planish_function_finish(module) == PLANISH_OK);

    /* A bit is 0 or 1, other integers have their sign, floats are what they are. */
    planish_datum arguments[] = {integer(PLANISH_TYPE_INT(12), -3), {.ty = PLANISH_TYPE_F32, .real = 3}, integer(PLANISH_TYPE_I1, 1), integer(PLANISH_TYPE_I16, 9)};
    planish_outcome outcome;
    CHECK(planish_run(module, function, arguments, 4, 100, NULL, NULL, &outcome) == PLANISH_OK && outcome.count == 4);
    CHECK(outcome.results[0].integer == -3 && outcome.results[0].ty == PLANISH_TYPE_I32);
    CHECK(outcome.results[1].real == 1.5 && outcome.results[1].ty == PLANISH_TYPE_F64);
    CHECK(outcome.results[2].integer == 1 && outcome.results[3].integer == 1);
    outcome.end = UNTOUCHED;
    REFUSED(planish_run(module, function, arguments, 3, 100, NULL, NULL, &outcome), PLANISH_REFUSED, "takes (i12, f32, i1, i16)");
    arguments[0].integer = 4096;
    REFUSED(planish_run(module, function, arguments, 4, 100, NULL, NULL, &outcome), PLANISH_REFUSED, "does not fit");
    arguments[0].ty = PLANISH_NONE;
    REFUSED(planish_run(module, function, arguments, 4, 100, NULL, NULL, &outcome), PLANISH_NO_SUCH_NAME, "is no type");
    arguments[0] = integer(PLANISH_TYPE_REF, 1);
    REFUSED(planish_run(module, function, arguments, 4, 100, NULL, NULL, &outcome), PLANISH_REFUSED, "null");
    REFUSED(planish_run(module, function, NULL, 4, 100, NULL, NULL, &outcome), PLANISH_NULL, "`arguments` is null");
    REFUSED(planish_run(module, 7, arguments, 4, 100, NULL, NULL, &outcome), PLANISH_REFUSED, "null");
    REFUSED(planish_run(module, 7, NULL, 0, 100, NULL, NULL, &outcome), PLANISH_NO_SUCH_NAME, "no function 7");
    CHECK(outcome.end == UNTOUCHED);
    REFUSED(planish_run(module, function, arguments, 4, 100, NULL, NULL, NULL), PLANISH_NULL, "`outcome` is null");
    planish_module_free(module);
}

/* Two functions that call each other, built by turns; switches; what is wrong with blocks. */
static void blocks(void) {
    planish_module *module = module_new();
    const int64_t keys[] = {0, 1, -1}, twice[] = {1, 1}, wide[] = {INT64_MIN};
    uint32_t even, odd, x, y, zero, one, arms[3], value, other = UNTOUCHED;
    CHECK(planish_function_new(module, "even", &I64, 1, &I64, 1, &x, &even) == PLANISH_OK);
    CHECK(planish_function_new(module, "odd", &I64, 1, &I64, 1, &y, &odd) == PLANISH_OK && odd == even + 1);
    REFUSED(planish_function_new(module, "odd", &I64, 1, &I64, 1, &other, &other), PLANISH_REFUSED, "already stands for");
    REFUSED(planish_function_new(module, "", &I64, 1, &I64, 1, &other, &other), PLANISH_REFUSED, "is no name");
    REFUSED(planish_function_new(module, "a\"b", &I64, 1, &I64, 1, &other, &other), PLANISH_REFUSED, "is no name");
    REFUSED(planish_function_new(module, "f", &I64, 1, &I64, 1, NULL, &other), PLANISH_NULL, "`values` is null");
    REFUSED(planish_function_new(module, "f", &I64, 1, &I64, 1, &other, NULL), PLANISH_NULL, "`function` is null");
    CHECK(other == UNTOUCHED);
    REFUSED(planish_run(module, even, NULL, 0, 1, NULL, NULL, &(planish_outcome){0}), PLANISH_REFUSED, "`even` is not finished");
    REFUSED(planish_module_verify(module), PLANISH_REFUSED, "`even` is not finished");
    REFUSED(planish_function_resume(module, 2), PLANISH_NO_SUCH_NAME, "no function 2");
    CHECK(planish_function_resume(module, even) == PLANISH_OK);
    for (size_t at = 0; at < 3; at++) CHECK(planish_block_new(module, NULL, NULL, 0, NULL, &arms[at]) == PLANISH_OK);
    const planish_target targets[] = {{arms[0], NULL, 0}, {arms[1], NULL, 0}, {arms[1], NULL, 0}}, rest = {arms[2], NULL, 0};
    const planish_target entry = {0, &x, 1}, many = {arms[0], &x, 1}, nowhere = {77, NULL, 0}, null = {arms[0], NULL, 1};
    REFUSED(planish_build_switch(module, x, twice, targets, 2, &rest), PLANISH_REFUSED, "the key 1 stands twice");
    REFUSED(planish_build_switch(module, x, keys, targets, 3, NULL), PLANISH_NULL, "`other` is null");
    REFUSED(planish_build_switch(module, x, NULL, targets, 3, &rest), PLANISH_NULL, "`keys` is null");
    REFUSED(planish_build_switch(module, x, keys, NULL, 3, &rest), PLANISH_NULL, "`targets` is null");
    REFUSED(planish_build_switch(module, x, keys, targets, 3, &entry), PLANISH_REFUSED, "entry");
    REFUSED(planish_build_switch(module, x, keys, targets, 3, &many), PLANISH_REFUSED, "block 1 takes (), not (i64)");
    REFUSED(planish_build_switch(module, x, keys, targets, 3, &nowhere), PLANISH_NO_SUCH_VALUE, "no block 77");
    REFUSED(planish_build_switch(module, x, keys, targets, 3, &null), PLANISH_NULL, "`arguments` is null");
    CHECK(planish_build_switch(module, x, keys, targets, 3, &rest) == PLANISH_OK);
    REFUSED(planish_build_unreachable(module), PLANISH_REFUSED, "block `entry` has its end already");
    REFUSED(planish_build_op(module, op("add"), (const uint32_t[]){x, x}, 2, &value), PLANISH_REFUSED, "has its end already");
    CHECK(planish_const_int(module, I64, 0, &zero) == PLANISH_OK && planish_const_int(module, I64, 1, &one) == PLANISH_OK);
    CHECK(planish_block_at(module, arms[0]) == PLANISH_OK && planish_build_return(module, &one, 1) == PLANISH_OK);
    CHECK(planish_block_at(module, arms[1]) == PLANISH_OK && planish_build_return(module, &zero, 1) == PLANISH_OK);
    CHECK(planish_function_finish(module) == PLANISH_INVALID);
    planish_error error;
    CHECK(planish_module_error_at(module, 0, &error) == PLANISH_OK && strcmp(error.message, "block 3 has no end") == 0);
    CHECK(planish_module_error_at(module, 1, &error) == PLANISH_END);

    /* The other one, and back. */
    CHECK(planish_function_resume(module, odd) == PLANISH_OK);
    uint32_t minus[] = {y, 0};
    CHECK(planish_const_int(module, I64, 1, &minus[1]) == PLANISH_OK);
    CHECK(planish_build_op(module, op("sub"), minus, 2, &value) == PLANISH_OK);
    REFUSED(planish_build_call(module, even, NULL, 0, &value, 1), PLANISH_REFUSED, "`even` takes (i64), not ()");
    REFUSED(planish_build_call(module, even, &value, 1, NULL, 0), PLANISH_REFUSED, "`even` has 1 results, not 0");
    REFUSED(planish_build_call(module, 9, &value, 1, &value, 1), PLANISH_NO_SUCH_NAME, "no function 9");
    CHECK(planish_build_call(module, even, &value, 1, &value, 1) == PLANISH_OK);
    CHECK(planish_build_return(module, &value, 1) == PLANISH_OK && planish_function_finish(module) == PLANISH_OK);
    REFUSED(planish_function_resume(module, odd), PLANISH_REFUSED, "finished already");
    REFUSED(planish_const_null(module, &value), PLANISH_REFUSED, "no function is at hand");
    CHECK(planish_function_resume(module, even) == PLANISH_OK && planish_block_at(module, arms[2]) == PLANISH_OK);
    minus[0] = x, minus[1] = one;
    CHECK(planish_build_op(module, op("sub"), minus, 2, &value) == PLANISH_OK);
    CHECK(planish_build_call(module, odd, &value, 1, &value, 1) == PLANISH_OK);
    CHECK(planish_build_return(module, &value, 1) == PLANISH_OK && planish_function_finish(module) == PLANISH_OK);
    CHECK(planish_module_verify(module) == PLANISH_OK);
    CHECK(run(module, "even", (const int64_t[]){8}, 1) == 1 && run(module, "even", (const int64_t[]){-1}, 1) == 0);
    CHECK(run(module, "odd", (const int64_t[]){7}, 1) == 1);

    /* Conditions, references, values that are not known where they are used. */
    const uint32_t mixed[] = {PLANISH_TYPE_REF, PLANISH_TYPE_I8};
    uint32_t in[2], function;
    CHECK(planish_function_new(module, "wrong", mixed, 2, NULL, 0, in, &function) == PLANISH_OK);
    CHECK(planish_block_new(module, "b\"", NULL, 0, NULL, &arms[0]) == PLANISH_REFUSED);
    CHECK(planish_block_new(module, "b", NULL, 0, NULL, &arms[0]) == PLANISH_OK && arms[0] == 1);
    REFUSED(planish_block_new(module, "c", mixed, 2, NULL, &value), PLANISH_NULL, "`values` is null");
    REFUSED(planish_block_at(module, 2), PLANISH_NO_SUCH_VALUE, "no block 2");
    const planish_target b = {1, NULL, 0};
    REFUSED(planish_build_branch(module, in[0], &b, &b), PLANISH_REFUSED, "of type ref, and is no integer");
    REFUSED(planish_build_branch(module, in[1], NULL, &b), PLANISH_NULL, "`then` is null");
    REFUSED(planish_build_branch(module, in[1], &b, NULL), PLANISH_NULL, "`other` is null");
    REFUSED(planish_build_switch(module, in[1], wide, &b, 1, &b), PLANISH_REFUSED, "does not fit in i8");
    REFUSED(planish_build_throw(module, in[1], NULL), PLANISH_REFUSED, "is no reference");
    REFUSED(planish_build_return(module, in, 2), PLANISH_REFUSED, "`wrong` gives (), not (ref, i8)");
    CHECK(planish_block_at(module, 1) == PLANISH_OK);
    CHECK(planish_build_op(module, op("add"), (const uint32_t[]){in[1], in[1]}, 2, &value) == PLANISH_OK);
    CHECK(planish_build_unreachable(module) == PLANISH_OK && planish_block_at(module, 0) == PLANISH_OK);
    CHECK(planish_build_op(module, op("add"), (const uint32_t[]){value, value}, 2, &value) == PLANISH_OK);
    CHECK(planish_build_return(module, NULL, 0) == PLANISH_OK);
    CHECK(planish_function_finish(module) == PLANISH_INVALID && says(module, "V12 in `wrong`"));
    CHECK(planish_function_give_up(module) == PLANISH_OK);
    REFUSED(planish_function_give_up(module), PLANISH_REFUSED, "no function is at hand");
    REFUSED(planish_function_finish(module), PLANISH_REFUSED, "no function is at hand");
    REFUSED(planish_function_name(module, function, &(const char *){NULL}), PLANISH_NO_SUCH_NAME, "no function 2");
    CHECK(planish_module_verify(module) == PLANISH_OK);
    planish_module_free(module);
}

/* ---- Words ------------------------------------------------------------------------------------------------- */

/* Doubles, or does not know. */
static bool answer(void *data, const char *callee, const planish_datum *arguments, size_t count, planish_datum *results, size_t result_count) {
    size_t *calls = data;
    ++*calls;
    if (strcmp(callee, "twice") != 0) return false;
    CHECK(count == 1 && result_count == 1 && results[0].ty == PLANISH_TYPE_I32 && arguments[0].ty == PLANISH_TYPE_I32);
    /* Only what fits is looked at. */
    results[0].integer = 2 * arguments[0].integer + ((int64_t)1 << 40);
    return true;
}

static void words(void) {
    planish_module *module = module_new();
    const uint32_t i32 = PLANISH_TYPE_I32;
    uint32_t twice, print, point, x_of, raw, signature, again, other = UNTOUCHED, results[2] = {0, 0};
    CHECK(planish_callee_word(module, "twice", PLANISH_EFFECT_ELIDABLE, &twice) == PLANISH_OK);
    CHECK(planish_callee_word(module, "twice", PLANISH_EFFECT_ELIDABLE, &again) == PLANISH_OK && again == twice);
    REFUSED(planish_callee_word(module, "twice", 0, &other), PLANISH_REFUSED, "already stands for");
    REFUSED(planish_callee_word(module, "x", 16, &other), PLANISH_REFUSED, "no flags 0x10");
    CHECK(planish_callee_word(module, "print", 0, &print) == PLANISH_OK && print != twice);
    CHECK(planish_callee_word(module, "any", PLANISH_EFFECT_UNKNOWN, &again) == PLANISH_OK);
    CHECK(planish_callee_word(module, "log", PLANISH_EFFECT_READS | PLANISH_EFFECT_WRITES | PLANISH_EFFECT_RAISES, &again) == PLANISH_OK);
    CHECK(planish_class_word(module, "Point", &point) == PLANISH_OK);
    REFUSED(planish_class_word(module, "print", &other), PLANISH_REFUSED, "already stands for");
    const uint64_t squares[] = {0, 1, 4, 9};
    uint32_t table = UNTOUCHED;
    CHECK(planish_table_word(module, "squares", i32, squares, 4, &table) == PLANISH_OK && table != UNTOUCHED);
    CHECK(planish_table_word(module, "squares", i32, squares, 4, &again) == PLANISH_OK && again == table);
    REFUSED(planish_table_word(module, "squares", i32, squares, 3, &other), PLANISH_REFUSED, "already stands for");
    REFUSED(planish_table_word(module, "t", i32, squares, 0, &other), PLANISH_REFUSED, "from 1 to");
    REFUSED(planish_table_word(module, "t", PLANISH_TYPE_REF, squares, 4, &other), PLANISH_REFUSED, "integers or floats");
    CHECK(planish_location_word(module, "Point.x", i32, 0, 0, 1, &x_of) == PLANISH_OK);
    REFUSED(planish_location_word(module, "l", i32, 33, 0, 1, &other), PLANISH_REFUSED, "33 bits");
    REFUSED(planish_location_word(module, "l", PLANISH_TYPE_REF, 8, 0, 1, &other), PLANISH_REFUSED, "8 bits");
    REFUSED(planish_location_word(module, "l", i32, 8, 8, 1, &other), PLANISH_REFUSED, "no flags 0x8");
    REFUSED(planish_location_word(module, NULL, i32, 8, 0, 1, &other), PLANISH_NULL, "`name` is null");
    CHECK(planish_location_word(module, "bytes", i32, 8, PLANISH_LOCATION_SIGNED | PLANISH_LOCATION_IMMUTABLE | PLANISH_LOCATION_RAW, 2, &raw) == PLANISH_OK);
    CHECK(planish_other_word(module, "i32_to_i32", &signature) == PLANISH_OK && other == UNTOUCHED);

    /* f(p, n): a store, a load of what was stored, a call, an object. */
    const uint32_t types[] = {PLANISH_TYPE_REF, i32};
    uint32_t in[2], function, value;
    CHECK(planish_function_new(module, "f", types, 2, &i32, 1, in, &function) == PLANISH_OK);
    REFUSED(planish_function_new(module, "Point", types, 2, &i32, 1, in, &other), PLANISH_REFUSED, "already stands for");
    planish_operation store = {op("set_field"), x_of, in, 2, NULL, 0, NULL};
    CHECK(planish_build(module, &store, NULL, 0) == PLANISH_OK);
    planish_operation load = {op("get_field"), x_of, in, 1, NULL, 0, NULL};
    REFUSED(planish_build(module, &load, NULL, 0), PLANISH_REFUSED, "`get_field` has 1 results here, not 0");
    CHECK(planish_build(module, &load, &value, 1) == PLANISH_OK);
    CHECK(planish_value_type(module, value, &other) == PLANISH_OK && other == i32);
    other = UNTOUCHED;
    load.word = PLANISH_NONE;
    REFUSED(planish_build(module, &load, &other, 1), PLANISH_REFUSED, "names a word");
    load.word = 77;
    REFUSED(planish_build(module, &load, &other, 1), PLANISH_NO_SUCH_WORD, "77 is no word");
    REFUSED(planish_build(module, NULL, &other, 1), PLANISH_NULL, "`operation` is null");
    planish_operation call = {op("call"), twice, &value, 1, &i32, 1, NULL};
    REFUSED(planish_build(module, &call, NULL, 1), PLANISH_NULL, "`results` is null");
    CHECK(planish_build(module, &call, &value, 1) == PLANISH_OK);
    call.operands = &value, call.word = print, call.type_count = 0;
    CHECK(planish_build(module, &call, NULL, 0) == PLANISH_OK);
    planish_operation sum = {op("add"), print, (const uint32_t[]){value, value}, 2, NULL, 0, NULL};
    REFUSED(planish_build(module, &sum, &other, 1), PLANISH_REFUSED, "`add` names no word");
    sum.word = PLANISH_NONE, sum.op = op("add_ovf");
    CHECK(planish_build(module, &sum, results, 2) == PLANISH_OK && results[1] == results[0] + 1);
    CHECK(other == UNTOUCHED);
    CHECK(planish_build_return(module, results, 1) == PLANISH_OK && planish_function_finish(module) == PLANISH_OK);

    /* A function of the module is called, and named by nothing else. */
    uint32_t one, self;
    CHECK(planish_function_new(module, "self", NULL, 0, NULL, 0, NULL, &one) == PLANISH_OK);
    CHECK(planish_build_call(module, one, NULL, 0, NULL, 0) == PLANISH_OK && planish_word_find(module, "self", &self) == PLANISH_OK);
    planish_operation marker = {op("marker"), self, NULL, 0, NULL, 0, NULL};
    REFUSED(planish_build(module, &marker, NULL, 0), PLANISH_REFUSED, "`self` is a function, which `marker` does not call");
    CHECK(planish_function_give_up(module) == PLANISH_OK);

    /* call_ref: main(n) is f by its address, which is not null. */
    CHECK(planish_function_new(module, "main", &i32, 1, &i32, 1, in, &again) == PLANISH_OK);
    uint32_t operands[3] = {0, 0, in[0]};
    CHECK(planish_const_function(module, function, &operands[0]) == PLANISH_OK && planish_const_null(module, &operands[1]) == PLANISH_OK);
    REFUSED(planish_const_function(module, 9, &other), PLANISH_NO_SUCH_NAME, "no function 9");
    planish_operation by_reference = {op("call_ref"), signature, operands, 3, &i32, 1, NULL};
    CHECK(planish_build(module, &by_reference, &value, 1) == PLANISH_OK);
    CHECK(planish_build_return(module, &value, 1) == PLANISH_OK && planish_function_finish(module) == PLANISH_OK);
    CHECK(planish_module_verify(module) == PLANISH_OK);

    /* The text has all of it. */
    const char *text;
    size_t length, calls = 0;
    CHECK(planish_module_text(module, &text, &length) == PLANISH_OK);
    CHECK(strstr(text, "callee @twice elidable reads () writes ()") && strstr(text, "class @Point"));
    if (!strstr(text, "bytes: i32 bits 8")) fputs(text, stderr);
    CHECK(strstr(text, "location @bytes: i32 bits 8 signed immutable raw class 2"));
    planish_module *copy = module_of(text);
    CHECK(planish_module_text(module, &text, &length) == PLANISH_OK && is(copy, text));
    planish_module_free(copy);

    /* Whoever runs it answers for `twice`; nobody for `print`. A null object is a fault. */
    planish_outcome outcome;
    const planish_datum arguments[] = {integer(PLANISH_TYPE_REF, 0), integer(i32, 21)};
    CHECK(planish_run(module, function, arguments, 2, 100, answer, &calls, &outcome) == PLANISH_OK);
    CHECK(outcome.end != PLANISH_OUTCOME_RETURN && calls == 0);
    planish_module_free(module);

    module = module_of("callee @twice elidable reads () writes ()\ncallee @print reads () writes ()\n"
                       "func f(n: i32) -> i32 {\na:\n    t: i32 = call(n) @twice\n    call(t) @print\n    return t\n}\n");
    CHECK(planish_run(module, 0, &arguments[1], 1, 100, answer, &calls, &outcome) == PLANISH_OK);
    CHECK(outcome.end == PLANISH_OUTCOME_RETURN && outcome.results[0].integer == 42 && calls == 2);
    /* Without a host a call depends on its arguments alone. */
    CHECK(planish_run(module, 0, &arguments[1], 1, 100, NULL, NULL, &outcome) == PLANISH_OK);
    int64_t first = outcome.results[0].integer;
    CHECK(planish_run(module, 0, &arguments[1], 1, 100, NULL, NULL, &outcome) == PLANISH_OK && outcome.results[0].integer == first);
    planish_module_free(module);
}

/* A function that was given up and is called is a function outside, also in the text. */
static void given_up(void) {
    planish_module *module = module_new();
    uint32_t lost, function, x, value;
    CHECK(planish_function_new(module, "lost", &I64, 1, &I64, 1, &x, &lost) == PLANISH_OK);
    CHECK(planish_function_new(module, "f", &I64, 1, &I64, 1, &x, &function) == PLANISH_OK);
    CHECK(planish_build_call(module, lost, &x, 1, &value, 1) == PLANISH_OK);
    CHECK(planish_build_return(module, &value, 1) == PLANISH_OK && planish_function_finish(module) == PLANISH_OK);
    CHECK(planish_function_resume(module, lost) == PLANISH_OK && planish_function_give_up(module) == PLANISH_OK);
    const char *text;
    size_t length;
    CHECK(planish_module_text(module, &text, &length) == PLANISH_OK && strstr(text, "callee @lost") == text);
    planish_module_free(module_of(text));
    /* The name is free again. */
    CHECK(planish_function_new(module, "lost", &I64, 1, &I64, 1, &x, &lost) == PLANISH_OK);
    CHECK(planish_build_return(module, &x, 1) == PLANISH_OK && planish_function_finish(module) == PLANISH_OK);
    CHECK(run(module, "f", (const int64_t[]){5}, 1) == 5);
    planish_module_free(module);
}

/* ---- Exits and ends of runs -------------------------------------------------------------------------------- */

static void exits(void) {
    planish_module *module = module_new();
    const uint32_t two[] = {I64, I64}, caught[] = {PLANISH_TYPE_REF, I64};
    uint32_t in[2], function, handler, taken[2], value, other = UNTOUCHED;
    planish_outcome outcome;
    CHECK(planish_function_new(module, "divide", two, 2, &I64, 1, in, &function) == PLANISH_OK);
    CHECK(planish_block_new(module, "zero", caught, 2, taken, &handler) == PLANISH_OK);
    planish_exit leave = {PLANISH_EXIT_LEAVE, 7, in, 2, NULL, 0};
    planish_operation guard = {op("guard_true"), PLANISH_NONE, in, 1, NULL, 0, &leave};
    CHECK(planish_build(module, &guard, NULL, 0) == PLANISH_OK);
    const planish_handler all = {PLANISH_NONE, handler}, nowhere = {PLANISH_NONE, 9}, unknown = {5, handler};
    planish_exit to = {PLANISH_EXIT_HANDLERS, 0, in, 1, &all, 1};
    planish_operation division = {op("sdiv"), PLANISH_NONE, in, 2, NULL, 0, &to};
    to.kind = 3;
    REFUSED(planish_build(module, &division, &other, 1), PLANISH_REFUSED, "no kind 3");
    to.kind = PLANISH_EXIT_HANDLERS, to.handlers = &nowhere;
    REFUSED(planish_build(module, &division, &other, 1), PLANISH_NO_SUCH_VALUE, "no block 9");
    to.handlers = &unknown;
    REFUSED(planish_build(module, &division, &other, 1), PLANISH_NO_SUCH_WORD, "5 is no word");
    to.handlers = NULL;
    REFUSED(planish_build(module, &division, &other, 1), PLANISH_NULL, "`handlers` is null");
    to.handlers = &all, to.live = NULL;
    REFUSED(planish_build(module, &division, &other, 1), PLANISH_NULL, "`live` is null");
    to.live = in;
    planish_operation sum = {op("add"), PLANISH_NONE, in, 2, NULL, 0, &leave};
    REFUSED(planish_build(module, &sum, &other, 1), PLANISH_REFUSED, "`add` never leaves");
    CHECK(other == UNTOUCHED && planish_build(module, &division, &value, 1) == PLANISH_OK);
    CHECK(planish_build_return(module, &value, 1) == PLANISH_OK && planish_block_at(module, handler) == PLANISH_OK);
    const planish_exit unwind = {PLANISH_EXIT_UNWIND, 0, &taken[1], 1, NULL, 0};
    CHECK(planish_build_throw(module, taken[0], &unwind) == PLANISH_OK && planish_function_finish(module) == PLANISH_OK);

    planish_datum arguments[] = {integer(I64, 12), integer(I64, 4)};
    CHECK(planish_run(module, function, arguments, 2, 100, NULL, NULL, &outcome) == PLANISH_OK);
    CHECK(outcome.end == PLANISH_OUTCOME_RETURN && outcome.results[0].integer == 3);
    arguments[1].integer = 0;
    CHECK(planish_run(module, function, arguments, 2, 100, NULL, NULL, &outcome) == PLANISH_OK);
    CHECK(outcome.end == PLANISH_OUTCOME_THROW && outcome.count == 1 && outcome.results[0].integer == 12);
    CHECK(strstr(outcome.reason, "division") != NULL);
    arguments[0].integer = 0;
    CHECK(planish_run(module, function, arguments, 2, 100, NULL, NULL, &outcome) == PLANISH_OK);
    CHECK(outcome.end == PLANISH_OUTCOME_LEAVE && outcome.exit == 7 && outcome.count == 2);
    CHECK(planish_run(module, function, arguments, 2, 0, NULL, NULL, &outcome) == PLANISH_OK && outcome.end == PLANISH_OUTCOME_FUEL);
    planish_module_free(module);

    module = module_of("func trap(a: i64) -> i64 {\na:\n    b = sdiv(1, a)\n    return b\n}\n"
                       "func odd(a: f64) -> i64 {\na:\n    b: i64 = float_to_signed(a)\n    branch b, x, y\nx:\n    return 1\ny:\n    return b\n}\n");
    CHECK(planish_run(module, 0, arguments, 1, 100, NULL, NULL, &outcome) == PLANISH_OK);
    CHECK(outcome.end == PLANISH_OUTCOME_TRAP && strcmp(outcome.reason, "division") == 0 && outcome.count == 0);
    const planish_datum huge = {.ty = PLANISH_TYPE_F64, .real = 1e300};
    CHECK(planish_run(module, 1, &huge, 1, 100, NULL, NULL, &outcome) == PLANISH_OK);
    CHECK(outcome.end == PLANISH_OUTCOME_UNDEFINED && strlen(outcome.reason) > 0);
    planish_module_free(module);
}

/* ---- Optimizing -------------------------------------------------------------------------------------------- */

static const char SCALED[] =
    "func f(v0: i64, v1: i64) -> i64 {\na:\n    v2 = mul(v0, 8)\n    v3 = or(v2, v1)\n    v4 = and(v2, v1)\n    v5 = sub(v3, v4)\n    return v5\n}\n";

static bool optimizer_says(const planish_optimizer *optimizer, const char *message) {
    if (strstr(planish_optimizer_error(optimizer), message)) return true;
    fprintf(stderr, "it says: %s\n", planish_optimizer_error(optimizer));
    return false;
}

static void rules(planish_optimizer *optimizer, const char *text, bool trusted, planish_status wanted) {
    planish_status status = planish_optimizer_rules(optimizer, "own.rules", text, strlen(text), trusted);
    if (status != wanted) fprintf(stderr, "%d: %s\n", (int)status, planish_optimizer_error(optimizer));
    CHECK(status == wanted);
}

static void optimizing(void) {
    planish_module *module = module_of(SCALED);
    planish_optimizer *optimizer = optimizer_new();
    planish_remark remark = {0};
    uint64_t count = UNTOUCHED, fired = UNTOUCHED;
    size_t operations = 0;

    /* Nothing was run yet. */
    CHECK(planish_optimizer_rewrites(optimizer, &count) == PLANISH_OK && count == 0);
    CHECK(planish_optimizer_remark(optimizer, 0, &remark) == PLANISH_REFUSED && optimizer_says(optimizer, "no remarks are kept"));

    /* Fuel for none, then for one. */
    CHECK(planish_optimizer_fuel(optimizer, 0) == PLANISH_OK && planish_optimize(optimizer, module) == PLANISH_OK);
    CHECK(is(module, SCALED));
    CHECK(planish_optimizer_fuel(optimizer, 1) == PLANISH_OK && planish_optimizer_keep_remarks(optimizer, true) == PLANISH_OK);
    CHECK(planish_optimize(optimizer, module) == PLANISH_OK);
    CHECK(planish_optimizer_rewrites(optimizer, &count) == PLANISH_OK && count == 1);
    CHECK(planish_optimizer_remark(optimizer, 0, &remark) == PLANISH_OK);
    CHECK(strcmp(remark.function, "f") == 0 && remark.line == 3 && remark.op == op("mul"));
    CHECK(strcmp(remark.pass, "rewrite") == 0 && remark.rule != NULL && strcmp(remark.what, "mul -> lshift") == 0);
    CHECK(planish_optimizer_rule_count(optimizer, remark.rule, &fired) == PLANISH_OK && fired == 1);
    CHECK(planish_optimizer_pass_count(optimizer, "rewrite", &count) == PLANISH_OK && count == 1);
    CHECK(planish_optimizer_pass_count(optimizer, "dead", &count) == PLANISH_OK && count == 0);
    CHECK(planish_optimizer_remark(optimizer, 1, &remark) == PLANISH_END);

    /* A rule of one's own: proved, wrong, broken, believed. */
    CHECK(planish_optimizer_fuel(optimizer, UINT64_MAX) == PLANISH_OK);
    rules(optimizer, "difference: int_sub(int_or(a, b), int_and(a, b)) => int_xor(a, b)\n", false, PLANISH_OK);
    rules(optimizer, "wrong: int_or(a, b) => int_add(a, b)\n", false, PLANISH_UNPROVED);
    CHECK(optimizer_says(optimizer, "counterexample to wrong"));
    rules(optimizer, "broken: int_or(a, b) => c\n", false, PLANISH_UNREADABLE);
    CHECK(optimizer_says(optimizer, "own.rules:1"));
    CHECK(planish_optimizer_rules(optimizer, "own.rules", "\xff", 1, false) == PLANISH_TEXT);
    CHECK(planish_optimizer_rules(optimizer, "own.rules", NULL, 1, false) == PLANISH_NULL);
    CHECK(planish_optimize(optimizer, module) == PLANISH_OK);
    CHECK(planish_optimizer_rule_count(optimizer, "difference", &fired) == PLANISH_OK);
    CHECK(is(module, "func f(v0: i64, v1: i64) -> i64 {\na:\n    v2 = lshift(v0, 3)\n    v3 = xor(v2, v1)\n    return v3\n}\n"));
    CHECK(planish_optimizer_rule_count(optimizer, "no_such_rule", &fired) == PLANISH_NO_SUCH_NAME);
    rules(optimizer, "wrong: int_xor(a, b) => int_or(a, b)\n", true, PLANISH_OK);
    CHECK(planish_optimizer_rewrites(optimizer, &count) == PLANISH_OK && count == 0);
    CHECK(planish_optimize(optimizer, module) == PLANISH_OK);
    CHECK(planish_optimizer_rule_count(optimizer, "wrong", &fired) == PLANISH_OK && fired == 1);
    CHECK(planish_optimizer_remark(optimizer, 0, &remark) == PLANISH_OK && strcmp(remark.rule, "wrong") == 0);
    rules(optimizer, "", false, PLANISH_OK);
    CHECK(planish_optimizer_rule_count(optimizer, "wrong", &fired) == PLANISH_NO_SUCH_NAME);

    /* Passes: those that are named, and no others. */
    CHECK(planish_optimizer_passes(optimizer, "dead:no-such-pass") == PLANISH_NO_SUCH_NAME && optimizer_says(optimizer, "no-such-pass"));
    CHECK(planish_optimizer_passes(optimizer, "dead") == PLANISH_OK);
    planish_module *fresh = module_of(SCALED);
    CHECK(planish_optimize(optimizer, fresh) == PLANISH_OK && is(fresh, SCALED));
    CHECK(planish_optimizer_passes(optimizer, NULL) == PLANISH_OK);
    CHECK(planish_optimize(optimizer, fresh) == PLANISH_OK);
    CHECK(planish_function_size(fresh, 0, &operations) == PLANISH_OK && operations < 4);
    CHECK(planish_optimizer_pass_count(optimizer, "no-such-pass", &count) == PLANISH_NO_SUCH_NAME);

    /* What is not a whole module is refused. */
    uint32_t function, x;
    CHECK(planish_function_new(fresh, "g", &I64, 1, &I64, 1, &x, &function) == PLANISH_OK);
    CHECK(planish_optimize(optimizer, fresh) == PLANISH_REFUSED && optimizer_says(optimizer, "`g` is not finished"));
    CHECK(planish_optimize(optimizer, NULL) == PLANISH_NULL && planish_optimize(NULL, module) == PLANISH_NULL);
    CHECK(planish_optimizer_new(NULL) == PLANISH_NULL && strcmp(planish_optimizer_error(NULL), "") == 0);
    planish_optimizer_free(optimizer);
    planish_optimizer_free(NULL);
    planish_module_free(fresh);

    /* A module outlives its optimizer. */
    CHECK(run(module, "f", (const int64_t[]){1, 1}, 2) == 9);
    planish_module_free(module);
}

/* ---- Machine code ------------------------------------------------------------------------------------------ */

static void code(void) {
    planish_module *module = module_of(POWER);
    planish_code *code = NULL;
    planish_outcome outcome;
    size_t bytes = 0;
    const planish_datum arguments[] = {integer(I64, 3), integer(I64, 5)};
    planish_status status = planish_compile(module, 0, &code);
    REFUSED(planish_compile(module, 0, NULL), PLANISH_NULL, "`code` is null");
    REFUSED(planish_compile(module, 3, &code), PLANISH_NO_SUCH_NAME, "no function 3");
    CHECK(planish_code_run(NULL, arguments, 2, 100, &outcome) == PLANISH_NULL && planish_code_size(NULL, &bytes) == PLANISH_NULL);
    CHECK(strcmp(planish_code_error(NULL), "") == 0);
    if (status == PLANISH_OK) {
        planish_module_free(module);
        CHECK(planish_code_size(code, &bytes) == PLANISH_OK && bytes > 0);
        CHECK(planish_code_run(code, arguments, 2, 100, &outcome) == PLANISH_OK);
        CHECK(outcome.end == PLANISH_OUTCOME_RETURN && outcome.results[0].integer == 243);
        CHECK(planish_code_run(code, arguments, 2, 1, &outcome) == PLANISH_OK && outcome.end == PLANISH_OUTCOME_FUEL);
        CHECK(planish_code_run(code, arguments, 1, 100, &outcome) == PLANISH_REFUSED);
        CHECK(strstr(planish_code_error(code), "takes (i64, i64), not (i64)") != NULL);
        CHECK(planish_code_run(code, NULL, 1, 100, &outcome) == PLANISH_NULL);
        planish_code_free(code);
        module = module_of("callee @g\nfunc f() {\na:\n    call() @g\n    return\n}\n");
        CHECK(planish_compile(module, 0, &code) == PLANISH_UNSUPPORTED);
    } else {
        CHECK(status == PLANISH_UNSUPPORTED && code == NULL);
        CHECK(planish_compile(module, 0, &code) == PLANISH_UNSUPPORTED && says(module, "native"));
    }
    planish_code_free(NULL);
    planish_module_free(module);
}

/* Both headers in one program. */
static void traces(void) {
    planish_recorder *recorder;
    CHECK(planish_recorder_new(NULL, &recorder) == PLANISH_OK);
    planish_recorder_free(recorder);
}

int main(void) {
    names();
    texts();
    building();
    values();
    blocks();
    words();
    given_up();
    exits();
    optimizing();
    code();
    traces();
    return 0;
}
