// exec_matrix.c -- mma.sync, wmma, ldmatrix, stmatrix and wgmma.
//
// Fragments of all types have one layout: lane l holds row or column l / 4, and consecutive
// elements of a register, E of them, at k = (l % 4) * E in steps of 4 * E (PTX ISA, "Matrix
// fragments"). wgmma is computed by each warp for its own 16 rows: they depend on nothing that
// other warps of the warpgroup hold. It is computed when it is issued or when it is waited for, by
// the seed; until then its registers are in flight, and what it reads in shared memory is being
// read.
#include "exec_matrix.h"

#include "exec.h"
#include "exec_mem.h"
#include "exec_warp.h"
#include "launch.h"
#include "memory.h"
#include "numeric.h"

typedef struct WarpMatrices {
    struct Pending {
        const Inst *in;
        uint64_t a, b; // descriptors
        bool keeps;    // d = a * b + d
        bool done;     // computed
        bool settled;  // and no more reading
        uint32_t group;
    } * pending;
    size_t num, capacity;
    uint32_t committed;
    uint8_t *flight; // by register: 1 is written, 2 is read
    uint8_t *dirty;  // by register: written since wgmma.fence
} WarpMatrices;

static bool
is_integer(PtxType type)
{
    return ptx_types[type].class != CLASS_FLOAT;
}

static unsigned
element_bits(PtxType type)
{
    return type == TYPE_S4 || type == TYPE_U4 ? 4 : 8u * ptx_types[type].bytes;
}

// Element `i` of packed bits, as a float or an integer of 32 bits.
static float
float_element(uint32_t bits, PtxType type, unsigned i)
{
    switch (type) {
    case TYPE_BF16:
        return bf16_float(bits >> 16 * i & 0xffff);
    case TYPE_F16:
        return f16_float(bits >> 16 * i & 0xffff);
    case TYPE_TF32:
        return bits_float(bits & 0xffffe000);
    default:
        return (float)ptx_widen(bits >> 8 * i & 0xff, type);
    }
}

static int32_t
int_element(uint32_t bits, PtxType type, unsigned i)
{
    unsigned width = element_bits(type);
    uint32_t value = bits >> width * i & ((1u << width) - 1);
    bool is_signed = ptx_types[type].class == CLASS_SIGNED;
    return is_signed && value >> (width - 1) ? (int32_t)(value | ~((1u << width) - 1))
                                             : (int32_t)value;
}

// The larger operands of a product of 16 rows.
typedef struct Product {
    union {
        float f[16][MAX_DEPTH];
        int32_t i[16][MAX_DEPTH];
    } a;
    union {
        float f[MAX_DEPTH][MAX_COLUMNS];
        int32_t i[MAX_DEPTH][MAX_COLUMNS];
    } b;
    union {
        float f[16][MAX_COLUMNS];
        int32_t i[16][MAX_COLUMNS];
    } d;
} Product;

static void
multiply_floats(Product *p, unsigned rows, unsigned columns, unsigned depth)
{
    for (unsigned r = 0; r < rows; r++)
        for (unsigned k = 0; k < depth; k++) {
            float a = p->a.f[r][k];
            const float *b = p->b.f[k];
            float *d = p->d.f[r];
            for (unsigned c = 0; c < columns; c++)
                d[c] += a * b[c];
        }
}

static void
multiply_ints(Product *p, unsigned rows, unsigned columns, unsigned depth)
{
    for (unsigned r = 0; r < rows; r++)
        for (unsigned k = 0; k < depth; k++)
            for (unsigned c = 0; c < columns; c++)
                p->d.i[r][c] = (int32_t)((uint32_t)p->d.i[r][c] +
                                         (uint32_t)p->a.i[r][k] * (uint32_t)p->b.i[k][c]);
}

static void
put_element(Product *p, bool of_b, unsigned row, unsigned k, uint32_t bits, PtxType type,
            unsigned i)
{
    if (is_integer(type)) {
        int32_t value = int_element(bits, type, i);
        if (of_b)
            p->b.i[k][row] = value;
        else
            p->a.i[row][k] = value;
    } else {
        float value = float_element(bits, type, i);
        if (of_b)
            p->b.f[k][row] = value;
        else
            p->a.f[row][k] = value;
    }
}

static const Operand *
list_items(const Warp *w, const Operand *o)
{
    return &w->kernel->lists.data[o->list];
}

// Registers of a, whose rows come in pairs 8 apart, or of b.
static void
gather(const Warp *w, const Operand *o, PtxType type, bool of_b, Product *p)
{
    const Operand *items = list_items(w, o);
    unsigned bits = element_bits(type), per = 32 / bits;
    for (unsigned i = 0; i < o->count; i++) {
        const uint32_t *values = lanes_of(w, &items[i]);
        unsigned step = of_b ? i : i / 2;
        FOR_LANES (l) {
            unsigned row = l / 4 + (of_b ? 0 : 8 * (i & 1)), k = (l % 4) * per + step * 4 * per;
            for (unsigned e = 0; e < per; e++)
                put_element(p, of_b, row, k + e, values[l], type, e);
        }
    }
}

// Accumulators: two neighbours, and two 8 rows below, for every 8 columns.
static void
take_accumulators(const Warp *w, const Inst *in, const Operand *o, Product *p)
{
    const Operand *items = list_items(w, o);
    bool packed = in->type == TYPE_F16;
    for (unsigned i = 0; i < o->count; i++) {
        const uint32_t *values = lanes_of(w, &items[i]);
        FOR_LANES (l) {
            unsigned at = packed ? 2 * i : i, row = l / 4 + 8 * (at / 2 % 2),
                     column = 8 * (at / 4) + 2 * (l % 4) + at % 2;
            if (packed) {
                p->d.f[row][column] = f16_float(values[l] & 0xffff);
                p->d.f[row][column + 1] = f16_float(values[l] >> 16);
            } else {
                memcpy(&p->d.f[row][column], &values[l], sizeof values[l]);
            }
        }
    }
}

static uint32_t
accumulator_bits(const Inst *in, const Product *p, unsigned row, unsigned column)
{
    if (is_integer(in->type))
        return (uint32_t)p->d.i[row][column];
    if (in->type == TYPE_F16)
        return ptx_narrow(p->d.f[row][column], TYPE_F16, ROUND_RN, false) |
               ptx_narrow(p->d.f[row][column + 1], TYPE_F16, ROUND_RN, false) << 16;
    float f = p->d.f[row][column];
    return f != f ? NAN_F32 : float_bits(f);
}

static void
give_accumulators(Warp *w, const Inst *in, const Operand *o, const Product *p)
{
    const Operand *items = list_items(w, o);
    for (unsigned i = 0; i < o->count; i++) {
        uint32_t out[LANES];
        unsigned at = in->type == TYPE_F16 ? 2 * i : i;
        FOR_LANES (l)
            out[l] = accumulator_bits(in, p, l / 4 + 8 * (at / 2 % 2),
                                      8 * (at / 4) + 2 * (l % 4) + at % 2);
        put32(w, &items[i], ALL_LANES, out);
    }
}

static Step
mma_f64(Warp *w, const Inst *in)
{
    const Operand *d = list_items(w, &in->operand[0]), *a = list_items(w, &in->operand[1]),
                  *b = list_items(w, &in->operand[2]), *c = list_items(w, &in->operand[3]);
    uint64_t out[2][LANES];
    FOR_LANES (l)
        for (unsigned i = 0; i < 2; i++) {
            double sum = bits_double(get_lane(w, &c[i], l));
            for (unsigned k = 0; k < 4; k++)
                sum = __builtin_fma(bits_double(get_lane(w, a, l / 4 * 4 + k)),
                                    bits_double(get_lane(w, b, (2 * (l % 4) + i) * 4 + k)), sum);
            out[i][l] = double_bits(sum);
        }
    put64(w, &d[0], ALL_LANES, out[0]);
    put64(w, &d[1], ALL_LANES, out[1]);
    return STEP_NEXT;
}

Step
ptx_mma(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    if (together != STEP_NEXT)
        return together;
    w->block->cluster->counters.matrix_macs += in->type == TYPE_F64 ? 256 : 128u * in->shape;
    if (in->type == TYPE_F64)
        return mma_f64(w, in);
    Product p;
    gather(w, &in->operand[1], in->from, false, &p);
    gather(w, &in->operand[2], in->variant, true, &p);
    take_accumulators(w, in, &in->operand[3], &p);
    if (is_integer(in->type))
        multiply_ints(&p, 16, 8, in->shape);
    else
        multiply_floats(&p, 16, 8, in->shape);
    give_accumulators(w, in, &in->operand[0], &p);
    return STEP_NEXT;
}

// --- ldmatrix, stmatrix

// The row that lane `l` names of each matrix; its place.
static bool
matrix_rows(Warp *w, const Inst *in, const Operand *address, unsigned count, bool is_write,
            Place *rows)
{
    uint64_t addresses[LANES];
    uint32_t mask = count == 4 ? ALL_LANES : (1u << 8 * count) - 1;
    ptx_addresses(w, address, addresses);
    FOR_ACTIVE (l, mask) {
        AccessKind kind = is_write ? ACCESS_WRITE : ACCESS_READ;
        if (!ptx_resolve(w, in, l, SPACE_SHARED, addresses[l] & WINDOW_MASK, 16, 16, is_write,
                         &rows[l]) ||
            (!is_write && !ptx_check_written(w, in, l, &rows[l], 16)) ||
            (rows[l].cells &&
             !ptx_race_access(w, in, l, rows[l].cells, rows[l].offset, 16, kind, false)))
            return false;
    }
    ptx_count_shared(w, addresses, mask, 16);
    return true;
}

static uint8_t *
half_at(const Place *rows, unsigned matrix, unsigned row, unsigned column)
{
    return rows[8 * matrix + row].data + 2 * column;
}

Step
ptx_load_matrix(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    Place rows[LANES];
    const Operand *to = list_items(w, &in->operand[0]);
    unsigned count = in->operand[0].count;
    if (together != STEP_NEXT)
        return together;
    if (!matrix_rows(w, in, &in->operand[1], count, false, rows))
        return STEP_STOP;
    for (unsigned m = 0; m < count; m++) {
        uint32_t out[LANES];
        FOR_LANES (l) {
            unsigned a = l / 4, b = 2 * (l % 4);
            uint16_t pair[2];
            for (unsigned i = 0; i < 2; i++)
                memcpy(&pair[i],
                       in->flags & MATRIX_TRANSPOSED ? half_at(rows, m, b + i, a)
                                                     : half_at(rows, m, a, b + i),
                       2);
            out[l] = pair[0] | (uint32_t)pair[1] << 16;
        }
        put32(w, &to[m], ALL_LANES, out);
    }
    return STEP_NEXT;
}

Step
ptx_store_matrix(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    Place rows[LANES];
    const Operand *from = list_items(w, &in->operand[1]);
    unsigned count = in->operand[1].count;
    if (together != STEP_NEXT)
        return together;
    if (!matrix_rows(w, in, &in->operand[0], count, true, rows))
        return STEP_STOP;
    for (unsigned m = 0; m < count; m++)
        FOR_LANES (l) {
            unsigned a = l / 4, b = 2 * (l % 4);
            uint32_t value = (uint32_t)get_lane(w, &from[m], l);
            for (unsigned i = 0; i < 2; i++) {
                uint16_t half = (uint16_t)(value >> 16 * i);
                memcpy(in->flags & MATRIX_TRANSPOSED ? half_at(rows, m, b + i, a)
                                                     : half_at(rows, m, a, b + i),
                       &half, 2);
            }
        }
    for (unsigned i = 0; i < 8 * count; i++)
        memset(rows[i].written, 1, 16);
    return STEP_NEXT;
}

// --- wmma

// Which element is where PTX does not say. Here elements follow one another in row-major order over
// a register's lanes, then over registers; what is left over repeats them.
const uint8_t ptx_wmma_shapes[4][3] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 16, 8}};

static void
fragment_size(WmmaFragment fragment, unsigned shape, unsigned *rows, unsigned *columns)
{
    const uint8_t *size = ptx_wmma_shapes[shape];
    *rows = fragment == WMMA_B ? size[2] : size[0];
    *columns = fragment == WMMA_A ? size[2] : size[1];
}

unsigned
ptx_wmma_registers(WmmaFragment fragment, unsigned shape, PtxType type)
{
    unsigned rows, columns;
    fragment_size(fragment, shape, &rows, &columns);
    if (type == TYPE_F16)
        return fragment == WMMA_C ? 4 : 8;
    return rows * columns * element_bits(type) / 32 / LANES;
}

// Element `i` of the registers: where it is in the matrix.
static void
wmma_element(const Inst *in, WmmaFragment fragment, unsigned i, unsigned *row, unsigned *column)
{
    unsigned rows, columns;
    fragment_size(fragment, in->shape, &rows, &columns);
    *row = i / columns % rows;
    *column = i % columns;
}

// The place of element `i` for lane `l`, which may read or write it.
static bool
wmma_place(Warp *w, const Inst *in, unsigned l, unsigned i, AccessKind kind, Place *place)
{
    unsigned rows, columns, row, column, bytes = ptx_types[in->type].bytes;
    bool is_column_major = in->flags & MATRIX_TRANSPOSED, is_write = kind == ACCESS_WRITE;
    fragment_size(in->variant, in->shape, &rows, &columns);
    wmma_element(in, in->variant, i, &row, &column);
    uint64_t stride = in->num_operands > 2 ? get_lane(w, &in->operand[2], l) & 0xffffffff
                      : is_column_major    ? rows
                                           : columns;
    uint64_t at = is_column_major ? column * stride + row : row * stride + column;
    uint64_t address = ptx_address_of(w, &in->operand[1], l) + at * bytes;
    return ptx_resolve(w, in, l, in->space, address, bytes, bytes, is_write, place) &&
           (is_write || ptx_check_written(w, in, l, place, bytes)) &&
           (!place->cells ||
            ptx_race_access(w, in, l, place->cells, place->offset, bytes, kind, false));
}

Step
ptx_wmma_load(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    const Operand *to = list_items(w, &in->operand[0]);
    unsigned bits = element_bits(in->type), per = 32 / bits;
    if (together != STEP_NEXT)
        return together;
    for (unsigned r = 0; r < in->operand[0].count; r++) {
        uint32_t out[LANES] = {0};
        FOR_LANES (l)
            for (unsigned e = 0; e < per; e++) {
                Place place = {0};
                uint32_t value = 0;
                if (!wmma_place(w, in, l, (r * LANES + l) * per + e, ACCESS_READ, &place))
                    return STEP_STOP;
                memcpy(&value, place.data, bits / 8);
                out[l] |= value << bits * e;
            }
        put32(w, &to[r], ALL_LANES, out);
    }
    return STEP_NEXT;
}

Step
ptx_wmma_store(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    const Operand *from = list_items(w, &in->operand[0]);
    unsigned bits = element_bits(in->type), per = 32 / bits;
    if (together != STEP_NEXT)
        return together;
    for (unsigned r = 0; r < in->operand[0].count; r++)
        FOR_LANES (l)
            for (unsigned e = 0; e < per; e++) {
                Place place = {0};
                uint32_t value = (uint32_t)get_lane(w, &from[r], l) >> bits * e;
                if (!wmma_place(w, in, l, (r * LANES + l) * per + e, ACCESS_WRITE, &place))
                    return STEP_STOP;
                memcpy(place.data, &value, bits / 8);
                memset(place.written, 1, bits / 8);
            }
    return STEP_NEXT;
}

// The elements of a fragment, as bits of one: `to[row][column]`.
static void
wmma_gather(const Warp *w, const Inst *in, const Operand *o, WmmaFragment fragment, PtxType type,
            uint32_t to[32][32])
{
    unsigned bits = element_bits(type), per = 32 / bits, row, column;
    for (unsigned r = 0; r < o->count; r++)
        FOR_LANES (l)
            for (unsigned e = 0; e < per; e++) {
                wmma_element(in, fragment, (r * LANES + l) * per + e, &row, &column);
                uint32_t value = (uint32_t)get_lane(w, &list_items(w, o)[r], l) >> bits * e;
                to[row][column] = bits == 32 ? value : value & ((1u << bits) - 1);
            }
}

Step
ptx_wmma_mma(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    const uint8_t *size = ptx_wmma_shapes[in->shape];
    uint32_t a[32][32], b[32][32], c[32][32];
    if (together != STEP_NEXT)
        return together;
    w->block->cluster->counters.matrix_macs += (uint64_t)size[0] * size[1] * size[2] / LANES;
    wmma_gather(w, in, &in->operand[1], WMMA_A, in->from, a);
    wmma_gather(w, in, &in->operand[2], WMMA_B, in->from, b);
    wmma_gather(w, in, &in->operand[3], WMMA_C, in->type, c);
    for (unsigned i = 0; i < size[0]; i++)
        for (unsigned j = 0; j < size[1]; j++) {
            if (is_integer(in->type)) {
                for (unsigned k = 0; k < size[2]; k++)
                    c[i][j] += (uint32_t)int_element(a[i][k], in->from, 0) *
                               (uint32_t)int_element(b[k][j], in->from, 0);
                continue;
            }
            float sum = in->type == TYPE_F16 ? f16_float(c[i][j]) : bits_float(c[i][j]);
            for (unsigned k = 0; k < size[2]; k++)
                sum += float_element(a[i][k], in->from, 0) * float_element(b[k][j], in->from, 0);
            c[i][j] = in->type == TYPE_F16 ? ptx_narrow(sum, TYPE_F16, ROUND_RN, false)
                      : sum != sum         ? NAN_F32
                                           : float_bits(sum);
        }
    unsigned per = 32 / element_bits(in->type), row, column;
    const Operand *to = list_items(w, &in->operand[0]);
    for (unsigned r = 0; r < in->operand[0].count; r++) {
        uint32_t out[LANES] = {0};
        FOR_LANES (l)
            for (unsigned e = 0; e < per; e++) {
                wmma_element(in, WMMA_C, (r * LANES + l) * per + e, &row, &column);
                out[l] |= c[row][column] << (per > 1 ? 16 * e : 0);
            }
        put32(w, &to[r], ALL_LANES, out);
    }
    return STEP_NEXT;
}

// --- wgmma

static WarpMatrices *
matrices_of(Warp *w)
{
    size_t num_regs = w->kernel->names.size;
    if (!w->matrices) {
        w->matrices = mlc_calloc(1, sizeof *w->matrices);
        w->matrices->flight = mlc_calloc(2 * num_regs + 1, 1);
        w->matrices->dirty = w->matrices->flight + num_regs;
        memset(w->matrices->dirty, 1, num_regs);
    }
    return w->matrices;
}

void
ptx_release_matrices(Warp *w)
{
    if (!w->matrices)
        return;
    mlc_free(w->matrices->flight);
    mlc_free(w->matrices->pending);
    mlc_free(w->matrices);
    w->matrices = NULL;
}

// How elements of an operand lie in shared memory (PTX ISA, "Matrix descriptor").
typedef struct Layout {
    uint32_t start, leading, stride, swizzle_bits, row_bytes;
    bool by_rows; // the other dimension than k is contiguous
} Layout;

static Layout
layout_of(uint64_t descriptor, bool by_rows)
{
    static const uint8_t bits[] = {0, 3, 2, 1};
    unsigned mode = descriptor >> 62;
    return (Layout){.start = (uint32_t)(descriptor & 0x3fff) << 4,
                    .leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4,
                    .stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4,
                    .swizzle_bits = bits[mode],
                    .row_bytes = 16u << bits[mode],
                    .by_rows = by_rows};
}

// The address of 16 bytes: of row `row` from byte `k` on; or, by rows, of k from that row on.
static uint32_t
chunk_address(const Layout *layout, unsigned row, unsigned k)
{
    uint32_t at = layout->start;
    if (layout->by_rows) {
        unsigned per = layout->row_bytes / 2; // elements of 2 bytes
        at += row / per * layout->leading + row % per * 2 + k / 8 * layout->stride +
              k % 8 * layout->row_bytes;
    } else {
        at += row / 8 * layout->stride + row % 8 * layout->row_bytes;
        at += layout->swizzle_bits ? k : k / 16 * layout->leading;
    }
    return at ^ ((at >> 7 & ((1u << layout->swizzle_bits) - 1)) << 4);
}

// 16 bytes of an operand, which is being read until `wgmma` is waited for.
static const uint8_t *
operand_chunk(Warp *w, const Inst *in, const Layout *layout, unsigned row, unsigned k, bool noting)
{
    Place place;
    const AsyncTag tag = {.pending = true, .proxy = true};
    if (!ptx_resolve(w, in, 0, SPACE_SHARED, chunk_address(layout, row, k), 16, 16, false, &place))
        return NULL;
    if (!noting)
        return place.data;
    if (!ptx_check_written(w, in, 0, &place, 16) ||
        (place.cells && !ptx_race_async(w, in, 0, place.cells, place.offset, 16, false, &tag)))
        return NULL;
    return place.data;
}

// Rows `first` and up of an operand. Into `p` (NULL: only looked at).
static bool
read_operand(Warp *w, const Inst *in, const Layout *layout, PtxType type, bool of_b, unsigned first,
             unsigned rows, unsigned depth, bool noting, Product *p)
{
    unsigned per = 128 / element_bits(type); // elements of a chunk
    unsigned row_step = layout->by_rows ? per : 1, k_step = layout->by_rows ? 1 : per;
    for (unsigned row = 0; row < rows; row += row_step)
        for (unsigned k = 0; k < depth; k += k_step) {
            unsigned at = layout->by_rows ? k : k * element_bits(type) / 8;
            const uint8_t *chunk = operand_chunk(w, in, layout, first + row, at, noting);
            if (!chunk)
                return false;
            for (unsigned e = 0; p && e < per; e++) {
                uint32_t word;
                unsigned in_word = 32 / element_bits(type);
                memcpy(&word, chunk + e / in_word * 4, 4);
                put_element(p, of_b, layout->by_rows ? row + e : row, layout->by_rows ? k : k + e,
                            word, type, e % in_word);
            }
        }
    return true;
}

static void
negate(float *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        values[i] = -values[i];
}

static bool
compute(Warp *w, struct Pending *op)
{
    const Inst *in = op->in;
    unsigned depth = 256 / element_bits(in->from), columns = in->shape;
    Product *p = mlc_malloc(sizeof *p);
    Layout a = layout_of(op->a, in->vector & 2), b = layout_of(op->b, in->vector & 4);
    bool ok = true;
    if (in->operand[1].kind == OPERAND_LIST)
        gather(w, &in->operand[1], in->from, false, p);
    else
        ok = read_operand(w, in, &a, in->from, false, 16 * (w->index % 4), 16, depth, false, p);
    ok = ok && read_operand(w, in, &b, in->variant, true, 0, columns, depth, false, p);
    if (ok && op->keeps)
        take_accumulators(w, in, &in->operand[0], p);
    else
        memset(&p->d, 0, sizeof p->d);
    if (in->flags & MATRIX_NEGATE_A)
        negate(&p->a.f[0][0], 16 * MAX_DEPTH);
    if (in->flags & MATRIX_NEGATE_B)
        negate(&p->b.f[0][0], MAX_DEPTH * MAX_COLUMNS);
    if (ok && is_integer(in->type))
        multiply_ints(p, 16, columns, depth);
    else if (ok)
        multiply_floats(p, 16, columns, depth);
    if (ok)
        give_accumulators(w, in, &in->operand[0], p);
    w->block->cluster->counters.matrix_macs += 16u * columns * depth;
    mlc_free(p);
    op->done = true;
    return ok;
}

// Registers of a list become in flight, or are no more; `what`: 1 written, 2 read.
static bool
mark_registers(Warp *w, const Inst *in, const Operand *o, uint8_t what, bool begins)
{
    WarpMatrices *m = matrices_of(w);
    const Operand *items = list_items(w, o);
    for (unsigned i = 0; i < o->count; i++) {
        uint32_t reg = items[i].reg;
        if (items[i].kind != OPERAND_REG)
            continue;
        if (begins && m->dirty[reg]) {
            ptx_fail(w, in, 0, "register '%s' was written since the last wgmma.fence",
                     w->kernel->names.data[reg].data);
            return false;
        }
        if (begins && what == 2 && m->flight[reg] & 1) {
            ptx_register_fault(w, in, 0, reg, false);
            return false;
        }
        if (begins)
            m->flight[reg] |= what;
        else
            m->flight[reg] &= (uint8_t)~what;
        if (what == 1)
            w->ready[reg] = begins ? 0 : ALL_LANES;
    }
    return true;
}

static bool
check_accumulators(Warp *w, const Inst *in, bool keeps)
{
    const Operand *items = list_items(w, &in->operand[0]);
    for (unsigned i = 0; keeps && i < in->operand[0].count; i++) {
        uint32_t reg = items[i].reg;
        if (w->ready[reg] != ALL_LANES && !(matrices_of(w)->flight[reg] & 1)) {
            ptx_register_fault(w, in, first_lane(~w->ready[reg]), reg, false);
            return false;
        }
    }
    return true;
}

// What an operation reads in shared memory is noted: a by the warp, b by the first of four.
static bool
note_reads(Warp *w, const struct Pending *op)
{
    const Inst *in = op->in;
    unsigned depth = 256 / element_bits(in->from);
    Layout a = layout_of(op->a, in->vector & 2), b = layout_of(op->b, in->vector & 4);
    if (in->operand[1].kind != OPERAND_LIST &&
        !read_operand(w, in, &a, in->from, false, 16 * (w->index % 4), 16, depth, true, NULL))
        return false;
    return w->index % 4 != 0 ||
           read_operand(w, in, &b, in->variant, true, 0, in->shape, depth, true, NULL);
}

Step
ptx_wgmma(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    if (together != STEP_NEXT)
        return together;
    WarpMatrices *m = matrices_of(w);
    bool in_registers = in->operand[1].kind == OPERAND_LIST;
    struct Pending op = {.in = in,
                         .a = in_registers ? 0 : get_lane(w, &in->operand[1], 0),
                         .b = get_lane(w, &in->operand[2], 0),
                         .keeps = pred_of(w, &in->operand[3]) & 1,
                         .group = m->committed};
    if ((in->vector & 4 && op.b >> 62 == 0) || (in->vector & 2 && op.a >> 62 == 0))
        return ptx_fail(w, in, 0, "transposed operands without a swizzle are not supported");
    if (!check_accumulators(w, in, op.keeps) || !mark_registers(w, in, &in->operand[0], 1, true) ||
        (in_registers && !mark_registers(w, in, &in->operand[1], 2, true)) || !note_reads(w, &op))
        return STEP_STOP;
    w->num_in_flight++;
    // In order: one that is late makes the next ones late.
    bool late = w->block->cluster->random && ptx_random(w->block->cluster, 2);
    if (m->num && !m->pending[m->num - 1].done)
        late = true;
    if (!late && !compute(w, &op))
        return STEP_STOP;
    if (m->num == m->capacity)
        m->pending = mlc_vec_grow(m->pending, &m->capacity, m->num + 1, sizeof *m->pending);
    m->pending[m->num++] = op;
    return STEP_NEXT;
}

Step
ptx_wgmma_fence(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    if (together == STEP_NEXT)
        memset(matrices_of(w)->dirty, 0, w->kernel->names.size);
    return together;
}

Step
ptx_wgmma_commit(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    if (together == STEP_NEXT)
        matrices_of(w)->committed++;
    return together;
}

// What an operation has read may be written from now on: by whom, only its being in flight says.
static void
settle_operand(const Warp *w, const struct Pending *op, bool of_b)
{
    const Inst *in = op->in;
    PtxType type = of_b ? in->variant : in->from;
    unsigned depth = 256 / element_bits(type), per = 128 / element_bits(type);
    Layout layout = layout_of(of_b ? op->b : op->a, in->vector & (of_b ? 4 : 2));
    unsigned first = of_b ? 0 : 16 * (w->index % 4), rows = of_b ? in->shape : 16;
    unsigned row_step = layout.by_rows ? per : 1, k_step = layout.by_rows ? 1 : per;
    Cell *cells = w->block->cells;
    for (unsigned row = 0; row < rows; row += row_step)
        for (unsigned k = 0; k < depth; k += k_step) {
            uint32_t at = chunk_address(&layout, first + row,
                                        layout.by_rows ? k : k * element_bits(type) / 8);
            ptx_race_settle(w, 0, ptx_pc_of(w, in), cells + at / 4, 0, 16, true);
        }
}

// What a warp has in flight in groups before `end` reads no more.
static bool
finish_reads(Warp *w, uint32_t end)
{
    WarpMatrices *m = w->matrices;
    for (size_t i = 0; m && i < m->num && m->pending[i].group < end; i++) {
        struct Pending *op = &m->pending[i];
        if (op->settled)
            continue;
        if (!op->done && !compute(w, op))
            return false;
        if (w->block->cells && op->in->operand[1].kind != OPERAND_LIST)
            settle_operand(w, op, false);
        if (w->block->cells && w->index % 4 == 0)
            settle_operand(w, op, true);
        op->settled = true;
    }
    return true;
}

// The registers of operations are there, and those of later ones still are not.
static void
land(Warp *w, uint32_t end)
{
    WarpMatrices *m = w->matrices;
    size_t kept = 0;
    for (size_t i = 0; i < m->num; i++) {
        const Inst *in = m->pending[i].in;
        bool over = m->pending[i].group < end;
        mark_registers(w, in, &in->operand[0], 1, !over);
        if (in->operand[1].kind == OPERAND_LIST)
            mark_registers(w, in, &in->operand[1], 2, !over);
        w->num_in_flight -= over;
        if (!over)
            m->pending[kept++] = m->pending[i];
    }
    m->num = kept;
}

// A group is over when all four warps of the warpgroup have issued it and it is computed: who of
// them waits speaks for all.
Step
ptx_wgmma_wait(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    if (together != STEP_NEXT)
        return together;
    WarpMatrices *m = matrices_of(w);
    uint64_t keep = in->operand[0].imm;
    uint32_t end = m->committed > keep ? m->committed - (uint32_t)keep : 0;
    unsigned first = w->index / 4 * 4, last = first + 4;
    for (unsigned i = first; i < last && i < w->block->num_warps; i++) {
        const Warp *other = &w->block->warps[i];
        if (other->live && end > (other->matrices ? other->matrices->committed : 0)) {
            w->waits_for = "its warpgroup: warp ";
            w->waits_at = i;
            return STEP_WAIT;
        }
    }
    for (unsigned i = first; i < last && i < w->block->num_warps; i++)
        if (!finish_reads(&w->block->warps[i], end))
            return STEP_STOP;
    land(w, end);
    return STEP_NEXT;
}

bool
ptx_is_in_flight(const Warp *w, uint32_t reg)
{
    return w->matrices && w->matrices->flight[reg];
}

void
ptx_note_dirty(Warp *w, const Inst *in)
{
    const uint32_t *regs = &w->kernel->regs.data[in->defs];
    for (unsigned i = 0; i < in->num_defs; i++)
        w->matrices->dirty[regs[i]] = 1;
}

bool
ptx_check_in_flight(Warp *w, const Inst *in, uint32_t mask)
{
    const uint32_t *regs = &w->kernel->regs.data[in->defs];
    for (unsigned i = 0; i < in->num_defs; i++)
        if (w->matrices->flight[regs[i]]) {
            ptx_register_fault(w, in, first_lane(mask), regs[i], true);
            return false;
        }
    return true;
}
