/*
 * A bridge, a trace that goes on where another one is left, recorded and optimized with planish-trace.
 *
 *   box = Box(x); if (x < y) return x; else return box.value + y;
 *
 * The first arm is the parent, the second one the bridge. What is printed are the operations that are left of both: the
 * bridge does not compare again, and one that is handed what the guard keeps does not need the box.
 *
 *   cargo build --release -p planish-c
 *   cc -I crates/capi/include examples/c/bridge.c target/release/libplanish.a -lpthread -ldl -lm
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

static uint32_t binary(const char *name, uint32_t x, uint32_t y) {
    uint32_t value, operands[] = {x, y};
    check(planish_record(recorder, op(name), operands, 2, &value));
    return value;
}

/* The exits of the guards. */
enum { NOT_LESS, LESS };

static uint32_t box_class, box_value;

static planish_trace *parent(void) {
    const uint32_t types[] = {PLANISH_TYPE_I64, PLANISH_TYPE_I64};
    uint32_t inputs[2], box;
    check(planish_begin(recorder, "parent", types, 2, inputs));
    check(planish_new_object(recorder, box_class, &box));
    check(planish_set_field(recorder, box_value, box, inputs[0]));
    uint32_t less = binary("lt", inputs[0], inputs[1]), live[] = {box, inputs[1]};
    check(planish_record_guard(recorder, op("guard_true"), &less, 1, NOT_LESS, live, 2));
    planish_trace *trace;
    check(planish_finish(recorder, inputs, 1, &trace));
    return trace;
}

/* What the interpreter does where the guard failed: it begins with the box and y, and compares again. */
static planish_trace *rest(const uint32_t *state) {
    uint32_t x;
    check(planish_get_field(recorder, box_value, state[0], &x));
    uint32_t less = binary("lt", x, state[1]), sum;
    check(planish_record_guard(recorder, op("guard_false"), &less, 1, LESS, &state[1], 1));
    sum = binary("add", x, state[1]);
    planish_trace *trace;
    check(planish_finish(recorder, &sum, 1, &trace));
    return trace;
}

/* The names of the operations of a trace. */
static void print(const char *what, planish_trace *trace) {
    static const char *const names[] = {"lt", "add", "guard_true", "guard_false", "new", "get_field", "set_field"};
    planish_cursor cursor = {0, 0};
    planish_step step;
    printf("%s:", what);
    while (planish_trace_step(trace, &cursor, &step) == PLANISH_OK) {
        for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
            if (step.op == op(names[at])) printf(" %s", names[at]);
        }
    }
    printf("\n");
}

int main(void) {
    check(planish_recorder_new(NULL, &recorder));
    check(planish_class(recorder, "Box", &box_class));
    check(planish_field(recorder, "Box.value", PLANISH_TYPE_I64, true, &box_value));
    planish_trace *trace = parent(), *bridge;
    print("parent", trace);

    uint32_t state[2];
    check(planish_begin_bridge(recorder, "bridge", trace, NOT_LESS, 2, state));
    bridge = rest(state);
    print("bridge that takes the box", bridge);
    planish_trace_free(bridge);

    uint32_t kept[2];
    check(planish_begin_bridge_unmade(recorder, "bridge", trace, NOT_LESS, 2, state, 2, kept));
    bridge = rest(state);
    print("bridge that takes what is kept", bridge);
    planish_trace_free(bridge);

    /* Nothing is left by an exit that no guard has. */
    if (planish_begin_bridge(recorder, "bridge", trace, LESS, 1, state) == PLANISH_REFUSED) {
        printf("refused: %s\n", planish_recorder_error(recorder));
    }
    planish_trace_free(trace);
    planish_recorder_free(recorder);
    return 0;
}
