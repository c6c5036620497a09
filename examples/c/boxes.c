/*
 * A loop over boxed numbers, recorded and optimized with planish-trace, and then run.
 *
 *   total = Box(0); i = 0;
 *   do { total = Box(total.value + i * 2); i = i + 1; } while (i < limit);
 *
 * As recorded, every iteration makes a box and reads the one before. What is printed is the trace that is left, what
 * running it gives, and the box that is made where the loop is left.
 *
 *   cargo build --release -p planish-c
 *   cc -I crates/capi/include examples/c/boxes.c target/release/libplanish.a -lpthread -ldl -lm
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "planish_trace.h"

static planish_recorder *recorder;

/* Ends the program if something was refused. */
static void check(planish_status status) {
    if (status != PLANISH_OK) {
        fprintf(stderr, "status %d: %s\n", (int)status, planish_recorder_error(recorder));
        exit(1);
    }
}

static uint32_t op(const char *name) {
    uint32_t number;
    check(planish_op(name, &number));
    return number;
}

static uint32_t constant(int64_t number) {
    uint32_t value;
    check(planish_int(recorder, number, &value));
    return value;
}

static uint32_t binary(const char *name, uint32_t x, uint32_t y) {
    uint32_t value, operands[] = {x, y};
    check(planish_record(recorder, op(name), operands, 2, &value));
    return value;
}

/* ---- Recording -------------------------------------------------------------------------------------------- */

static uint32_t box_class, box_value;

/* The box, whose class is checked, and the number in it. */
static uint32_t unboxed(uint32_t box, uint32_t exit, const uint32_t *live, size_t count) {
    uint32_t value, operands[] = {box, 0};
    check(planish_class_address(recorder, box_class, &operands[1]));
    check(planish_record_guard(recorder, op("guard_nonnull_class"), operands, 2, exit, live, count));
    check(planish_get_field(recorder, box_value, box, &value));
    return value;
}

static uint32_t boxed(uint32_t number) {
    uint32_t box;
    check(planish_new_object(recorder, box_class, &box));
    check(planish_set_field(recorder, box_value, box, number));
    return box;
}

/* One iteration, as an interpreter would tell it. */
static planish_trace *record(void) {
    const uint32_t types[] = {PLANISH_TYPE_REF, PLANISH_TYPE_I64, PLANISH_TYPE_I64};
    uint32_t inputs[3], state[3];
    check(planish_begin(recorder, "boxes", types, 3, inputs));
    check(planish_begin_loop(recorder, inputs, 3, state));
    uint32_t total = state[0], i = state[1], limit = state[2];
    uint32_t before[] = {total, i};
    uint32_t sum = binary("add", unboxed(total, 0, before, 2), binary("mul", i, constant(2)));
    total = boxed(sum);
    i = binary("add", i, constant(1));
    uint32_t less = binary("lt", i, limit), after[] = {total, i};
    check(planish_record_guard(recorder, op("guard_true"), &less, 1, 1, after, 2));
    /* The box is read again, as the next iteration would. */
    uint32_t again = unboxed(total, 2, after, 2);
    uint32_t next[] = {boxed(again), i, limit};
    planish_trace *trace;
    check(planish_close_loop(recorder, next, 3, &trace));
    return trace;
}

/* ---- Running ---------------------------------------------------------------------------------------------- */

/* A number, or a reference: the number of a box, from 1. */
typedef int64_t word;

static word heap[1000000];
static size_t boxes;

static word operand(const planish_trace *trace, const word *values, uint32_t value) {
    planish_operand is;
    check(planish_trace_operand(recorder, trace, value, &is));
    switch (is.kind) {
    case PLANISH_OPERAND_VALUE: return values[value];
    case PLANISH_OPERAND_INTEGER: return is.integer;
    case PLANISH_OPERAND_ADDRESS: return is.word;
    default: return 0;
    }
}

/* Leaves the trace: what its recipe makes is made, and the state is printed. */
static void leave(const planish_trace *trace, const planish_step *step, const word *values) {
    word made[16] = {0};
    for (size_t index = 0; index < step->recipe_steps; index++) {
        planish_recipe_step what;
        check(planish_trace_recipe(trace, index, &what));
        word operands[2] = {0, 0};
        for (size_t at = 0; at < what.operands.count; at++) {
            planish_slot slot = what.operands.items[at];
            operands[at] = slot.made ? made[slot.position] : operand(trace, values, step->live.items[slot.position]);
        }
        if (what.op == op("new")) made[index] = (word)++boxes;
        else if (what.op == op("set_field")) heap[operands[0]] = operands[1];
    }
    planish_slots state;
    check(planish_trace_state(trace, &state));
    printf("left by exit %" PRIu32 ", recipe of %zu steps:", step->exit, step->recipe_steps);
    for (size_t at = 0; at < state.count; at++) {
        planish_slot slot = state.items[at];
        word is = slot.made ? made[slot.position] : operand(trace, values, step->live.items[slot.position]);
        if (at == 0) printf(" Box(%" PRId64 ")", heap[is]);
        else printf(" %" PRId64, is);
    }
    printf("\n");
}

/* Runs a trace until it is left. */
static void run(planish_trace *trace, word total, word i, word limit) {
    size_t count;
    check(planish_trace_values(trace, &count));
    word *values = calloc(count, sizeof *values);
    if (values == NULL) exit(1);
    /* The inputs are the first values. */
    values[0] = total, values[1] = i, values[2] = limit;
    planish_cursor cursor = {0, 0}, head = {0, 0};
    uint32_t params[8];
    planish_step step;
    while (planish_trace_step(trace, &cursor, &step) == PLANISH_OK) {
        word operands[8] = {0};
        for (size_t at = 0; at < step.operands.count; at++) {
            operands[at] = operand(trace, values, step.operands.items[at]);
        }
        bool fails = false;
        if (step.kind == PLANISH_STEP_LOOP) {
            head = cursor;
            for (size_t at = 0; at < step.results.count; at++) {
                params[at] = step.results.items[at];
                values[params[at]] = operands[at];
            }
        } else if (step.kind == PLANISH_STEP_JUMP) {
            for (size_t at = 0; at < step.operands.count; at++) values[params[at]] = operands[at];
            cursor = head;
        } else if (step.op == op("guard_true")) {
            fails = operands[0] == 0;
        } else if (step.op == op("guard_nonnull_class") || step.op == op("guard_nonnull")) {
            fails = operands[0] == 0; /* There is one class. */
        } else if (step.op == op("new")) {
            values[step.results.items[0]] = (word)++boxes;
        } else if (step.op == op("get_field")) {
            values[step.results.items[0]] = heap[operands[0]];
        } else if (step.op == op("set_field")) {
            heap[operands[0]] = operands[1];
        } else {
            word x = operands[0], y = operands[1], result;
            if (step.op == op("add")) result = x + y;
            else if (step.op == op("mul")) result = x * y;
            else if (step.op == op("lshift")) result = (word)((uint64_t)x << (y & 63));
            else if (step.op == op("lt")) result = x < y;
            else exit(2);
            values[step.results.items[0]] = result;
        }
        if (fails) {
            leave(trace, &step, values);
            break;
        }
    }
    free(values);
}

/* The names of the operations of a trace. */
static void print(planish_trace *trace) {
    static const char *const names[] = {
        "add", "mul", "lshift", "lt", "guard_true", "guard_nonnull_class", "new", "get_field", "set_field"};
    planish_cursor cursor = {0, 0};
    planish_step step;
    while (planish_trace_step(trace, &cursor, &step) == PLANISH_OK) {
        if (step.kind == PLANISH_STEP_LOOP) printf("loop of %zu values\n", step.results.count);
        if (step.kind == PLANISH_STEP_JUMP) printf("jump\n");
        for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
            if (step.op == op(names[at])) printf("%4" PRIu32 "  %s\n", step.number, names[at]);
        }
    }
}

int main(void) {
    check(planish_recorder_new(NULL, &recorder));
    check(planish_class(recorder, "Box", &box_class));
    check(planish_field(recorder, "Box.value", PLANISH_TYPE_I64, true, &box_value));
    planish_trace *trace = record();
    print(trace);
    heap[++boxes] = 0;
    run(trace, 1, 0, 100000);
    printf("%zu boxes were made\n", boxes);

    /* The next trace takes the memory of the first. Nothing is looked at: it is as it was recorded. */
    check(planish_recycle(recorder, trace));
    check(planish_recorder_limit(recorder, 0));
    trace = record();
    boxes = 1;
    run(trace, 1, 0, 100000);
    printf("%zu boxes were made without optimization\n", boxes);
    planish_trace_free(trace);

    /* What is wrong is refused. */
    uint32_t value;
    if (planish_record(recorder, op("add"), NULL, 0, &value) == PLANISH_REFUSED) {
        printf("refused: %s\n", planish_recorder_error(recorder));
    }
    planish_recorder_free(recorder);
    return 0;
}
