/*
 * A loop that bridges enter, run from C: the bridge's values arrive where the loop wants them, whichever of both was
 * optimized, and what does not fit the entry is refused and changes nothing.
 *
 * Prints nothing where all is well. Carried out by scripts/check-c, with sanitizers and with valgrind.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planish_trace.h"

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

static planish_recorder *recorder;
static uint32_t entry, box_class, box_value;

/* The loop takes: how often it goes round, a box that nothing looks at, what is added, the sum, a limit that never changes. */
enum { COUNT = 5 };
static const uint32_t kinds[COUNT] = {PLANISH_TYPE_I64, PLANISH_TYPE_REF, PLANISH_TYPE_I64, PLANISH_TYPE_I64,
                                      PLANISH_TYPE_I64};

static uint32_t op(const char *name) {
    uint32_t number;
    CHECK(planish_op(name, &number) == PLANISH_OK);
    return number;
}

static uint32_t constant(int64_t number) {
    uint32_t value;
    CHECK(planish_int(recorder, number, &value) == PLANISH_OK);
    return value;
}

static uint32_t binary(const char *name, uint32_t x, uint32_t y) {
    uint32_t value, operands[] = {x, y};
    CHECK(planish_record(recorder, op(name), operands, 2, &value) == PLANISH_OK);
    return value;
}

/* ---- Recording -------------------------------------------------------------------------------------------- */

/* Hands over what does not fit, in every way. */
static void tell_wrongly(const uint32_t *state) {
    size_t before, after;
    CHECK(planish_length(recorder, &before) == PLANISH_OK);
    for (size_t count = 0; count <= COUNT; count++) {
        uint32_t wrong[COUNT], values[COUNT];
        memcpy(wrong, state, sizeof wrong);
        /* A kind that is another one, a value that is none, and too few of them. */
        if (count == COUNT) {
            wrong[0] = state[1], wrong[1] = state[0];
        }
        planish_trace *trace = NULL;
        CHECK(planish_enter(recorder, entry, wrong, count, &trace) == PLANISH_REFUSED && trace == NULL);
        CHECK(planish_begin_entered_loop(recorder, entry, wrong, count, values) == PLANISH_REFUSED);
        if (count == COUNT) {
            memcpy(wrong, state, sizeof wrong);
            wrong[3] = UINT32_MAX;
            CHECK(planish_enter(recorder, entry, wrong, count, &trace) != PLANISH_OK && trace == NULL);
        }
    }
    planish_trace *trace = NULL;
    CHECK(planish_enter(recorder, box_class, state, COUNT, &trace) != PLANISH_OK && trace == NULL);
    CHECK(planish_length(recorder, &after) == PLANISH_OK && after == before);
}

/* while (n > 0) { sum = sum + step; n = n - 1; if (sum >= limit) leave 1(sum, n); } leave 0(n, box, sum) */
static planish_trace *record_loop(void) {
    const uint32_t types[] = {PLANISH_TYPE_REF, PLANISH_TYPE_I64};
    uint32_t inputs[2], p[COUNT];
    CHECK(planish_begin(recorder, "loop", types, 2, inputs) == PLANISH_OK);
    /* What adds is 7 whenever the loop begins here, and the limit is known. */
    const uint32_t state[COUNT] = {constant(4), inputs[0], constant(7), inputs[1], constant(1000)};
    tell_wrongly(state);
    CHECK(planish_begin_entered_loop(recorder, entry, state, COUNT, p) == PLANISH_OK);
    uint32_t goes_on = binary("gt", p[0], constant(0)), live[] = {p[0], p[1], p[3]};
    CHECK(planish_record_guard(recorder, op("guard_true"), &goes_on, 1, 0, live, 3) == PLANISH_OK);
    uint32_t sum = binary("add", binary("add", p[3], constant(0)), p[2]), n = binary("sub", p[0], constant(1));
    uint32_t less = binary("lt", sum, p[4]), late[] = {sum, n};
    CHECK(planish_record_guard(recorder, op("guard_true"), &less, 1, 1, late, 2) == PLANISH_OK);
    const uint32_t next[COUNT] = {n, p[1], p[2], sum, p[4]};
    planish_trace *trace = NULL;
    CHECK(planish_close_loop(recorder, next, COUNT, &trace) == PLANISH_OK);
    return trace;
}

/* Goes round `x & 3` times, adding x - 5, to a new box. */
static planish_trace *record_bridge(void) {
    const uint32_t types[] = {PLANISH_TYPE_REF, PLANISH_TYPE_I64};
    uint32_t inputs[2], box;
    CHECK(planish_begin(recorder, "bridge", types, 2, inputs) == PLANISH_OK);
    CHECK(planish_new_object(recorder, box_class, &box) == PLANISH_OK);
    CHECK(planish_set_field(recorder, box_value, box, inputs[1]) == PLANISH_OK);
    uint32_t x;
    CHECK(planish_get_field(recorder, box_value, box, &x) == PLANISH_OK);
    uint32_t n = binary("and", x, constant(3)), step = binary("sub", x, constant(5));
    const uint32_t state[COUNT] = {n, box, step, constant(100), constant(112)};
    tell_wrongly(state);
    planish_trace *trace = NULL;
    CHECK(planish_enter(recorder, entry, state, COUNT, &trace) == PLANISH_OK);
    return trace;
}

/* ---- Running ---------------------------------------------------------------------------------------------- */

typedef int64_t word;

typedef struct left {
    uint32_t exit;
    size_t count;
    word values[4];
} left;

static word heap[64];
static size_t boxes;

static word operand(const planish_trace *trace, const word *values, uint32_t value) {
    planish_operand is;
    CHECK(planish_trace_operand(recorder, trace, value, &is) == PLANISH_OK);
    switch (is.kind) {
    case PLANISH_OPERAND_VALUE: return values[value];
    case PLANISH_OPERAND_INTEGER: return is.integer;
    default: return 0;
    }
}

static word made(const planish_trace *trace, const planish_step *step, const word *values, planish_slot slot) {
    CHECK(!slot.made); /* No box is in a list of what is kept that is not handed over too. */
    return operand(trace, values, step->live.items[slot.position]);
}

/* Runs a trace from its beginning, or its loop with the values of `state`, until a guard leaves. Where it goes on in the
   loop, `state` is what it hands over. */
static bool run(planish_trace *trace, const word *inputs, word *state, left *left) {
    size_t count;
    CHECK(planish_trace_values(trace, &count) == PLANISH_OK);
    word *values = calloc(count + 1, sizeof *values);
    CHECK(values != NULL);
    bool skips = inputs == NULL, is_left = false, enters = false;
    if (!skips) values[0] = inputs[0], values[1] = inputs[1];
    planish_cursor cursor = {0, 0}, head = {0, 0};
    uint32_t params[COUNT];
    planish_step step;
    while (!is_left && !enters && planish_trace_step(trace, &cursor, &step) == PLANISH_OK) {
        if (skips && step.kind != PLANISH_STEP_LOOP) continue;
        word operands[COUNT] = {0};
        for (size_t at = 0; at < step.operands.count && !(skips && step.kind == PLANISH_STEP_LOOP); at++) {
            operands[at] = operand(trace, values, step.operands.items[at]);
        }
        if (step.kind == PLANISH_STEP_LOOP) {
            CHECK(step.results.count == COUNT); /* The loop keeps all that its entry says. */
            head = cursor;
            for (size_t at = 0; at < COUNT; at++) {
                params[at] = step.results.items[at];
                values[params[at]] = skips ? state[at] : operands[at];
            }
            skips = false;
        } else if (step.kind == PLANISH_STEP_JUMP) {
            for (size_t at = 0; at < COUNT; at++) values[params[at]] = operands[at];
            cursor = head;
        } else if (step.kind == PLANISH_STEP_ENTER) {
            CHECK(step.operands.count == COUNT);
            memcpy(state, operands, sizeof operands);
            enters = true;
        } else if (step.op == op("guard_true") || step.op == op("guard_false")) {
            is_left = (operands[0] != 0) == (step.op == op("guard_false"));
        } else if (step.op == op("new")) {
            values[step.results.items[0]] = (word)++boxes;
        } else if (step.op == op("get_field")) {
            values[step.results.items[0]] = heap[operands[0]];
        } else if (step.op == op("set_field")) {
            heap[operands[0]] = operands[1];
        } else {
            word x = operands[0], y = operands[1], result = 0;
            if (step.op == op("add")) result = x + y;
            else if (step.op == op("sub")) result = x - y;
            else if (step.op == op("and")) result = x & y;
            else if (step.op == op("lt")) result = x < y;
            else if (step.op == op("gt")) result = x > y;
            else if (step.op == op("le")) result = x <= y;
            else if (step.op == op("ge")) result = x >= y;
            else CHECK(!"an operation that this program knows");
            values[step.results.items[0]] = result;
        }
        if (is_left) {
            planish_slots slots;
            CHECK(planish_trace_state(trace, &slots) == PLANISH_OK && slots.count <= 4);
            left->exit = step.exit, left->count = slots.count;
            for (size_t at = 0; at < slots.count; at++) left->values[at] = made(trace, &step, values, slots.items[at]);
        }
    }
    free(values);
    CHECK(is_left || enters);
    return enters;
}

/* What the loop is to do. */
static left expected(word n, word box, word step, word sum, word limit) {
    for (; n > 0;) {
        sum += step, n--;
        if (sum >= limit) return (left){1, 2, {sum, n}};
    }
    return (left){0, 3, {n, box, sum}};
}

static void check_left(left is, left wanted) {
    CHECK(is.exit == wanted.exit && is.count == wanted.count);
    for (size_t at = 0; at < is.count; at++) CHECK(is.values[at] == wanted.values[at]);
}

int main(void) {
    CHECK(planish_recorder_new(NULL, &recorder) == PLANISH_OK);
    CHECK(planish_class(recorder, "Box", &box_class) == PLANISH_OK);
    CHECK(planish_field(recorder, "Box.value", PLANISH_TYPE_I64, false, &box_value) == PLANISH_OK);
    CHECK(planish_entry(recorder, "around", kinds, COUNT, &entry) == PLANISH_OK);
    /* Each as it was recorded, and optimized. */
    planish_trace *loops[2], *bridges[2];
    for (size_t optimized = 0; optimized < 2; optimized++) {
        CHECK(planish_recorder_limit(recorder, optimized ? UINT64_MAX : 0) == PLANISH_OK);
        loops[optimized] = record_loop();
        bridges[optimized] = record_bridge();
    }
    for (size_t pair = 0; pair < 4; pair++) {
        planish_trace *loop = loops[pair & 1], *bridge = bridges[pair >> 1];
        for (word x = -9; x < 12; x++) {
            left is = {0, 0, {0}};
            word inputs[] = {1, x}, state[COUNT];
            boxes = 1;
            CHECK(!run(loop, inputs, state, &is));
            check_left(is, expected(4, 1, 7, x, 1000));
            CHECK(run(bridge, inputs, state, &is));
            CHECK(!run(loop, NULL, state, &is));
            check_left(is, expected(x & 3, 2, x - 5, 100, 112));
            CHECK(heap[2] == x);
        }
    }
    for (size_t optimized = 0; optimized < 2; optimized++) {
        planish_trace_free(loops[optimized]);
        planish_trace_free(bridges[optimized]);
    }
    planish_recorder_free(recorder);
    return 0;
}
