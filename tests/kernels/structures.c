// Lists, trees, heaps, rings: structures in memory. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
struct node {
    int key;
    int left, right;
};

// run: 4096 20
int tree_insert_all(struct node *t, int n) {
    int used = 0, root = -1, depth = 0;
    for (int i = 0; i < n; i++) {
        int key = i * 7919 % 101, *link = &root, d = 0;
        while (*link >= 0) {
            link = key < t[*link].key ? &t[*link].left : &t[*link].right;
            d++;
        }
        *link = used;
        t[used].key = key;
        t[used].left = t[used].right = -1;
        used++;
        if (d > depth) depth = d;
    }
    return depth;
}

struct item {
    struct item *next;
    int value;
};
static struct item *insert_sorted(struct item *head, struct item *x) {
    if (!head || head->value >= x->value) {
        x->next = head;
        return x;
    }
    struct item *p = head;
    while (p->next && p->next->value < x->value) p = p->next;
    x->next = p->next;
    p->next = x;
    return head;
}

// run: 4096 20
int sorted_list(struct item *pool, int n) {
    struct item *head = 0;
    for (int i = 0; i < n; i++) {
        pool[i].value = i * 17 % 23;
        head = insert_sorted(head, &pool[i]);
    }
    int sum = 0, at = 1;
    for (struct item *p = head; p; p = p->next) sum += p->value * at++;
    return sum;
}

// run: 4096 16
int list_remove_if(struct item *pool, int n) {
    struct item *head = 0;
    for (int i = n - 1; i >= 0; i--) {
        pool[i].value = i;
        pool[i].next = head;
        head = pool + i;
    }
    struct item **pp = &head;
    while (*pp) {
        if ((*pp)->value % 3 == 0) *pp = (*pp)->next;
        else pp = &(*pp)->next;
    }
    int c = 0;
    for (struct item *p = head; p != 0; p = p->next) c++;
    return c;
}

// run: 4096 25
int has_cycle(struct item *pool, int n) {
    for (int i = 0; i < n; i++) pool[i].next = &pool[(i + 1) % n];
    struct item *slow = pool, *fast = pool;
    int steps = 0;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
        steps++;
        if (slow == fast) return steps;
    }
    return 0;
}

struct ring {
    int head, tail, count;
    int data[16];
};
static int ring_push(struct ring *r, int v) {
    if (r->count == 16) return 0;
    r->data[r->head] = v;
    r->head = (r->head + 1) % 16;
    r->count++;
    return 1;
}

static int ring_pop(struct ring *r, int *v) {
    if (r->count == 0) return 0;
    *v = r->data[r->tail];
    r->tail = (r->tail + 1) % 16;
    r->count--;
    return 1;
}

// run: 4096 40
int ring_buffer(struct ring *r, int n) {
    r->head = r->tail = r->count = 0;
    int sum = 0, v;
    for (int i = 0; i < n; i++) {
        ring_push(r, i);
        if (i % 3 == 0 && ring_pop(r, &v)) sum += v;
    }
    while (ring_pop(r, &v)) sum = sum * 2 + v;
    return sum;
}

static int find(int *parent, int x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

// run: 4096 40
int union_find(int *parent, int n) {
    int sets = n;
    for (int i = 0; i < n; i++) parent[i] = i;
    for (int i = 0; i < n; i++) {
        int a = find(parent, i), b = find(parent, i * 5 % n);
        if (a != b) {
            parent[a] = b;
            sets--;
        }
    }
    return sets;
}

// run: 4096 50
int fenwick(int *t, int n) {
    for (int i = 0; i <= n; i++) t[i] = 0;
    for (int i = 1; i <= n; i++)
        for (int j = i; j <= n; j += j & -j) t[j] += i * i % 7;
    int s = 0;
    for (int q = n; q > 0; q -= q & -q) s += t[q];
    return s;
}

// run: 4096 16 3 11
int segment_max(int *t, int n, int l, int r) {
    for (int i = 0; i < n; i++) t[n + i] = i * 29 % 31;
    for (int i = n - 1; i > 0; i--) t[i] = t[2 * i] > t[2 * i + 1] ? t[2 * i] : t[2 * i + 1];
    int best = -1;
    for (l += n, r += n; l < r; l >>= 1, r >>= 1) {
        if (l & 1) {
            if (t[l] > best) best = t[l];
            l++;
        }
        if (r & 1) {
            --r;
            if (t[r] > best) best = t[r];
        }
    }
    return best;
}

struct vec {
    long x, y, z;
};
static struct vec cross(struct vec a, struct vec b) {
    struct vec r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}

static long dot3(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// run: 4096 10
// ahead: what the round before loaded is kept over a store to a local
long triple_products(const struct vec *v, int n) {
    long s = 0;
    for (int i = 0; i + 2 < n; i++) s += dot3(v[i], cross(v[i + 1], v[i + 2]));
    return s;
}

struct pt {
    long x, y;
};

// run: 4096 20
long polygon_area2(const struct pt *p, int n) {
    long a = 0;
    for (int i = 0; i < n; i++) {
        const struct pt *q = &p[i], *r = &p[(i + 1) % n];
        a += q->x * r->y - r->x * q->y;
    }
    return a < 0 ? -a : a;
}

// run: 4096 16 5 7
int point_in_polygon(const struct pt *p, int n, long x, long y) {
    int in = 0;
    for (int i = 0, j = n - 1; i < n; j = i++) {
        long xi = p[i].x & 15, yi = p[i].y & 15, xj = p[j].x & 15, yj = p[j].y & 15;
        if ((yi > y) != (yj > y) && (x - xi) * (yj - yi) < (xj - xi) * (y - yi)) in = !in;
    }
    return in;
}

struct rect {
    int x, y, w, h;
};

// run: 4096 10
int overlaps(const struct rect *r, int n) {
    int c = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const struct rect *a = &r[i], *b = &r[j];
            if (a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h) c++;
        }
    return c;
}

struct emp {
    unsigned id;
    u8 dept, level;
    unsigned short age;
    long pay;
};

// run: 4096 20 3
long payroll(struct emp *e, int n, int dept) {
    long sum = 0;
    int c = 0;
    for (struct emp *end = e + n; e < end; e++) {
        if ((e->dept & 3) != dept) continue;
        if (e->age % 64 >= 40) e->pay += e->pay / 10;
        e->level++;
        sum += e->pay;
        c++;
    }
    return c ? sum / c : 0;
}

struct matrix {
    int rows, cols;
    int v[64];
};

// run: 4096
int trace(struct matrix *m) {
    m->rows = m->cols = 7;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++) m->v[i * m->cols + j] = i * 3 + j;
    int t = 0;
    for (int i = 0; i < m->rows; i++) t += m->v[i * m->cols + i];
    return t;
}

int stack[64], sp;
static void push(int v) { stack[sp++] = v; }
static int pop(void) { return stack[--sp]; }
char rpn[32] = "34+5*27-*9+";

// run: 0
// ahead: a cursor in memory is a register
int evaluate_rpn(int x) {
    sp = 0;
    for (const char *s = rpn; *s; s++) switch (*s) {
        case '+': {
            int b = pop();
            push(pop() + b);
            break;
        }
        case '-': {
            int b = pop();
            push(pop() - b);
            break;
        }
        case '*': {
            int b = pop();
            push(pop() * b);
            break;
        }
        default: push(*s - '0');
        }
    return pop();
}

// run: 4096 32
int lru_touch(u8 *order, int n) {
    int misses = 0, used = 0;
    for (int i = 0; i < n; i++) {
        u8 page = i * i % 11;
        int k = 0;
        while (k < used && order[k] != page) k++;
        if (k == used) {
            misses++;
            if (used < 5) used++;
            else k--;
        }
        for (; k > 0; k--) order[k] = order[k - 1];
        order[0] = page;
    }
    return misses;
}
