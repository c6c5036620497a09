/*
 * A compiler for formulas: each line is a function, which may call those before it and itself.
 *
 *   square(x) = x * x
 *   sum(n)    = n ? n + sum(n - 1) : 0
 *
 * The functions are built, optimized, printed with the rules that were applied, and run.
 *
 *   cargo build --release -p planish-c
 *   cc -I crates/capi/include examples/c/formula.c target/release/libplanish.a -lpthread -ldl -lm
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planish.h"

static planish_module *module;

/* Ends the program if something was refused. */
static void check(planish_status status) {
    if (status != PLANISH_OK) {
        fprintf(stderr, "status %d: %s\n", (int)status, planish_module_error(module));
        exit(1);
    }
}

/* ---- Building ---------------------------------------------------------------------------------------------- */

/* The line that is compiled, where in it we are, and the parameters of its function. */
static const char *at;
static char names[8][32];
static uint32_t params[8];
static size_t param_count;

static void expect(char wanted) {
    while (*at == ' ') at++;
    if (*at++ != wanted) {
        fprintf(stderr, "expected `%c` before `%s`\n", wanted, at - 1);
        exit(1);
    }
}

static bool next_is(char wanted) {
    while (*at == ' ') at++;
    if (*at != wanted) return false;
    at++;
    return true;
}

static void name(char *into) {
    size_t length = 0;
    while (*at == ' ') at++;
    while (isalnum((unsigned char)*at) && length < 31) into[length++] = *at++;
    into[length] = 0;
}

static uint32_t number(int64_t value) {
    uint32_t constant;
    check(planish_const_int(module, PLANISH_TYPE_I64, value, &constant));
    return constant;
}

static uint32_t binary(const char *operation, uint32_t x, uint32_t y) {
    uint32_t op, value, operands[] = {x, y};
    check(planish_op(operation, &op));
    check(planish_build_op(module, op, operands, 2, &value));
    return value;
}

static uint32_t formula(void);

/* A number, a parameter, a call, or a formula in parentheses. */
static uint32_t atom(void) {
    if (next_is('(')) {
        uint32_t value = formula();
        expect(')');
        return value;
    }
    if (isdigit((unsigned char)*at)) return number(strtoll(at, (char **)&at, 10));
    char called[32];
    name(called);
    for (size_t index = 0; index < param_count; index++) {
        if (strcmp(called, names[index]) == 0) return params[index];
    }
    uint32_t function, arguments[8], result;
    size_t count = 0;
    check(planish_function_find(module, called, &function));
    expect('(');
    do arguments[count++] = formula();
    while (count < 8 && next_is(','));
    expect(')');
    check(planish_build_call(module, function, arguments, count, &result, 1));
    return result;
}

static uint32_t product(void) {
    uint32_t value = atom();
    for (;;) {
        if (next_is('*')) value = binary("mul", value, atom());
        else if (next_is('/')) value = binary("sdiv", value, atom());
        else return value;
    }
}

static uint32_t sum(void) {
    uint32_t value = product();
    for (;;) {
        if (next_is('+')) value = binary("add", value, product());
        else if (next_is('-')) value = binary("sub", value, product());
        else if (next_is('<')) value = binary("lt", value, product());
        else return value;
    }
}

/* A sum, or a choice: two blocks, which meet in one that has the result as its parameter. */
static uint32_t formula(void) {
    const uint32_t type = PLANISH_TYPE_I64;
    uint32_t condition = sum(), then, other, after, result;
    if (!next_is('?')) return condition;
    check(planish_block_new(module, NULL, NULL, 0, NULL, &then));
    check(planish_block_new(module, NULL, NULL, 0, NULL, &other));
    check(planish_block_new(module, NULL, &type, 1, &result, &after));
    const planish_target to_then = {then, NULL, 0}, to_other = {other, NULL, 0};
    check(planish_build_branch(module, condition, &to_then, &to_other));
    check(planish_block_at(module, then));
    uint32_t value = formula();
    check(planish_build_jump(module, after, &value, 1));
    expect(':');
    check(planish_block_at(module, other));
    value = formula();
    check(planish_build_jump(module, after, &value, 1));
    check(planish_block_at(module, after));
    return result;
}

/* One line: name(parameters) = formula. */
static void define(const char *text, uint32_t line) {
    at = text;
    char called[32];
    name(called);
    expect('(');
    param_count = 0;
    do name(names[param_count++]);
    while (param_count < 8 && next_is(','));
    expect(')');
    expect('=');
    uint32_t types[8], function;
    for (size_t index = 0; index < param_count; index++) types[index] = PLANISH_TYPE_I64;
    check(planish_function_new(module, called, types, param_count, types, 1, params, &function));
    check(planish_line_at(module, line));
    uint32_t value = formula();
    check(planish_build_return(module, &value, 1));
    check(planish_function_finish(module));
}

/* ---- Using ------------------------------------------------------------------------------------------------- */

static void print(const char *title) {
    const char *text;
    size_t length;
    check(planish_module_text(module, &text, &length));
    printf("# %s\n%s\n", title, text);
}

static void run(const char *called, int64_t x, int64_t y) {
    uint32_t function;
    planish_signature signature;
    planish_outcome outcome;
    const planish_datum arguments[] = {
        {.ty = PLANISH_TYPE_I64, .integer = x}, {.ty = PLANISH_TYPE_I64, .integer = y}};
    check(planish_function_find(module, called, &function));
    check(planish_function_signature(module, function, &signature));
    check(planish_run(module, function, arguments, signature.param_count, 100000, NULL, NULL, &outcome));
    printf("%s: ", called);
    if (outcome.end == PLANISH_OUTCOME_RETURN) {
        printf("%" PRId64 " by %" PRIu64 " operations\n", outcome.results[0].integer, outcome.operations);
    } else if (outcome.end == PLANISH_OUTCOME_TRAP) {
        printf("trap, %s\n", outcome.reason);
    } else {
        printf("end %" PRIu32 "\n", outcome.end);
    }
}

static void run_each(void) {
    run("distance", 12, 2);
    run("sum", 10, 0);
    run("ratio", 7, 0);
}

int main(void) {
    check(planish_module_new(&module));
    define("square(x) = x * x", 1);
    define("distance(x, y) = square(x - y) / 4 * 1 + (x - y) * 0", 2);
    define("sum(n) = n ? n + sum(n - 1) : 0", 3);
    define("ratio(x, y) = x < y ? 0 : x / y", 4);
    print("as built");
    run_each();

    planish_optimizer *optimizer;
    planish_remark remark;
    check(planish_optimizer_new(&optimizer));
    check(planish_optimizer_keep_remarks(optimizer, true));
    if (planish_optimize(optimizer, module) != PLANISH_OK) {
        fprintf(stderr, "%s\n", planish_optimizer_error(optimizer));
        return 1;
    }
    printf("\n# rules\n");
    for (size_t index = 0; planish_optimizer_remark(optimizer, index, &remark) == PLANISH_OK; index++) {
        if (remark.rule) {
            printf("line %" PRIu32 ", %s: %s  [%s]\n", remark.line, remark.function, remark.what, remark.rule);
        }
    }
    printf("\n");
    print("optimized");
    run_each();

    /* What is wrong is refused, and nothing is changed. */
    uint32_t function;
    if (planish_function_find(module, "cube", &function) == PLANISH_NO_SUCH_NAME) {
        printf("refused: %s\n", planish_module_error(module));
    }
    planish_optimizer_free(optimizer);
    planish_module_free(module);
    return 0;
}
