// ir_values.c -- what a context uniques: types, attributes, elements, affine expressions,
// locations, from many threads.
#include <pthread.h>
#include <stdlib.h>

#include "ir_dialect.h"
#include "mlc/support/alloc.h"

static void
types_are_unique(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    MlcType i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS),
            f32 = mlc_float_type_get(ctx, MLC_FLOAT_F32);
    assert_ptr_equal(i32, mlc_integer_type_get(ctx, 32, MLC_SIGNLESS));
    assert_ptr_not_equal(i32, mlc_integer_type_get(ctx, 32, MLC_SIGNED));
    assert_ptr_equal(mlc_integer_type_get(ctx, 1000, MLC_UNSIGNED),
                     mlc_integer_type_get(ctx, 1000, MLC_UNSIGNED));
    int64_t shape[] = {4, MLC_DYNAMIC};
    MlcType tensor = mlc_tensor_type_get(f32, shape, 2, NULL);
    assert_ptr_equal(tensor, mlc_tensor_type_get(f32, shape, 2, NULL));
    assert_ptr_not_equal(tensor, mlc_memref_type_get(f32, shape, 2, NULL, NULL));
    assert_int_equal(mlc_type_num_dynamic_dims(tensor), 1);
    assert_false(mlc_type_has_static_shape(tensor));
    MlcType ins[] = {i32, f32};
    MlcType function = mlc_function_type_get(ctx, ins, 2, &tensor, 1);
    assert_ptr_equal(function, mlc_function_type_get(ctx, ins, 2, &tensor, 1));
    assert_ptr_not_equal(function, mlc_function_type_get(ctx, ins, 1, ins + 1, 1));
    assert_ptr_equal(mlc_function_type_results(function)[0], tensor);
    // An identity layout and memory space 0 are none.
    MlcAttr identity = mlc_affine_map_attr_get(mlc_affine_map_identity(ctx, 2));
    assert_ptr_equal(mlc_memref_type_get(f32, shape, 2, identity, mlc_i64_attr_get(ctx, 0)),
                     mlc_memref_type_get(f32, shape, 2, NULL, NULL));
    bool scalable[] = {true, false}, none[] = {false, false};
    int64_t sizes[] = {4, 8};
    assert_ptr_not_equal(mlc_vector_type_get(f32, sizes, 2, scalable),
                         mlc_vector_type_get(f32, sizes, 2, NULL));
    assert_ptr_equal(mlc_vector_type_get(f32, sizes, 2, none),
                     mlc_vector_type_get(f32, sizes, 2, NULL));
    mlc_context_destroy(ctx);
}

static void
memref_strides(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    MlcType f32 = mlc_float_type_get(ctx, MLC_FLOAT_F32);
    int64_t shape[] = {2, 3, 4}, offset, strides[3], given[] = {50, MLC_DYNAMIC, 1};
    assert_true(
        mlc_memref_type_strides(mlc_memref_type_get(f32, shape, 3, NULL, NULL), &offset, strides));
    assert_true(offset == 0 && strides[0] == 12 && strides[1] == 4 && strides[2] == 1);
    MlcAttr layout = mlc_strided_layout_attr_get(ctx, 7, given, 3);
    assert_true(mlc_memref_type_strides(mlc_memref_type_get(f32, shape, 3, layout, NULL), &offset,
                                        strides));
    assert_true(offset == 7 && strides[0] == 50 && strides[1] == MLC_DYNAMIC && strides[2] == 1);
    mlc_context_destroy(ctx);
}

static void
attributes(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    MlcType i8 = mlc_integer_type_get(ctx, 8, MLC_SIGNLESS),
            i128 = mlc_integer_type_get(ctx, 128, MLC_SIGNLESS);
    assert_ptr_equal(mlc_integer_attr_get(i8, 255), mlc_integer_attr_get(i8, -1));
    assert_int_equal(mlc_attr_as_int(mlc_integer_attr_get(i8, 255)), -1);
    assert_int_equal(mlc_attr_as_int(mlc_bool_attr_get(ctx, true)), 1);
    assert_int_equal(mlc_attr_as_int(mlc_integer_attr_get(i128, -5)), -5);
    MlcType f16 = mlc_float_type_get(ctx, MLC_FLOAT_F16);
    assert_true(mlc_float_attr_as_double(mlc_float_attr_get(f16, 1.0 / 3)) == 0.333251953125);
    MlcStr text = mlc_str("hello");
    assert_ptr_equal(mlc_string_attr_get(ctx, text),
                     mlc_string_attr_get(ctx, mlc_str_n("hello, world", 5)));
    assert_string_equal(mlc_string_attr_value(mlc_string_attr_get(ctx, text)).data, "hello");
    MlcNamedAttr entries[] = {mlc_named(ctx, "b", mlc_unit_attr_get(ctx)),
                              mlc_named(ctx, "a", mlc_i64_attr_get(ctx, 1))};
    MlcAttr dict = mlc_dict_attr_get(ctx, entries, 2);
    assert_string_equal(mlc_string_attr_value(mlc_dict_attr_entry(dict, 0).name).data, "a");
    assert_ptr_equal(mlc_dict_attr_find(dict, mlc_str("b")), mlc_unit_attr_get(ctx));
    assert_null(mlc_dict_attr_find(dict, mlc_str("c")));
    MlcAttr with = mlc_dict_attr_with(ctx, dict, mlc_str("ab"), mlc_unit_attr_get(ctx));
    assert_int_equal(mlc_dict_attr_size(with), 3);
    assert_ptr_equal(mlc_dict_attr_with(ctx, with, mlc_str("ab"), NULL), dict);
    MlcStr duplicate;
    MlcNamedAttr twice[] = {entries[0], entries[1], entries[0]};
    assert_true(mlc_dict_attr_find_duplicate(twice, 3, &duplicate));
    assert_true(mlc_str_equal(duplicate, mlc_str("b")));
    assert_ptr_not_equal(mlc_distinct_attr_create(ctx, dict), mlc_distinct_attr_create(ctx, dict));
    mlc_context_destroy(ctx);
}

static void
count_up(void *to, void *calls)
{
    ++*(int *)calls;
    for (int i = 0; i < 4; i++)
        ((float *)to)[i] = (float)i;
}

static void
elements(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    MlcType f32 = mlc_float_type_get(ctx, MLC_FLOAT_F32),
            i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
    int64_t four = 4;
    float numbers[] = {1, 2, 3, 4}, same[] = {1, 1, 1, 1};
    MlcType type = mlc_tensor_type_get(f32, &four, 1, NULL);
    MlcAttr dense = mlc_dense_attr_get(type, numbers, sizeof numbers, false);
    assert_false(mlc_elements_attr_is_splat(dense));
    assert_true(mlc_float_attr_as_double(mlc_elements_attr_element(dense, 2)) == 3.0);
    // Equal elements are a splat however they were written.
    assert_ptr_equal(mlc_dense_attr_get(type, same, sizeof same, false),
                     mlc_dense_attr_splat(type, mlc_float_attr_get(f32, 1)));
    MlcBlob *blob = mlc_blob_create_copy(numbers, sizeof numbers, 64),
            *other = mlc_blob_create_copy(same, sizeof same, 64);
    MlcAttr resource = mlc_dense_resource_attr_get(type, mlc_str("w"), blob);
    MlcAttr renamed = mlc_dense_resource_attr_get(type, mlc_str("w"), other);
    assert_ptr_equal(resource, mlc_dense_resource_attr_get(type, mlc_str("w"), NULL));
    assert_true(mlc_str_equal(mlc_dense_resource_attr_key(renamed), mlc_str("w_1")));
    size_t num_bytes;
    assert_ptr_equal(mlc_elements_attr_data(resource, &num_bytes), mlc_blob_data(blob));
    assert_int_equal(num_bytes, 16);
    mlc_blob_release(blob);
    mlc_blob_release(other);
    // Bytes that are made when they are asked for: for each borrower, then once for all.
    int calls = 0;
    MlcBlob *deferred = mlc_blob_create_deferred(sizeof numbers, 64, count_up, NULL, &calls);
    MlcAttr later = mlc_dense_resource_attr_get(type, mlc_str("later"), deferred);
    assert_true(mlc_elements_attr_has_data(later) && mlc_blob_is_deferred(deferred));
    void *temporary;
    const float *borrowed = mlc_blob_borrow(deferred, &temporary);
    assert_true(borrowed[3] == 3 && temporary == borrowed && mlc_blob_is_deferred(deferred));
    mlc_blob_give_back(deferred, temporary);
    float copied[4] = {0};
    mlc_blob_copy_to(deferred, copied);
    assert_true(copied[3] == 3 && calls == 2);
    assert_true(mlc_float_attr_as_double(mlc_elements_attr_element(later, 2)) == 2.0);
    assert_ptr_equal(mlc_elements_attr_data(later, &num_bytes), mlc_blob_data(deferred));
    assert_ptr_equal(mlc_blob_borrow(deferred, &temporary), mlc_blob_data(deferred));
    assert_true(!temporary && !mlc_blob_is_deferred(deferred) && calls == 3);
    mlc_blob_release(deferred);
    int64_t values[] = {3, -1}, value;
    MlcAttr array = mlc_i64_array_attr_get(ctx, values, 2);
    MlcAttr list[] = {mlc_i64_attr_get(ctx, 3), mlc_i64_attr_get(ctx, -1)},
            in_brackets = mlc_array_attr_get(ctx, list, 2);
    int64_t two = 2;
    MlcAttr tensor =
        mlc_dense_attr_get(mlc_tensor_type_get(i64, &two, 1, NULL), values, sizeof values, false);
    MlcAttr spellings[] = {array, in_brackets, tensor};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(mlc_int_list_attr_size(spellings[i]), 2);
        assert_true(mlc_int_list_attr_get(spellings[i], 1, &value) && value == -1);
        assert_false(mlc_int_list_attr_get(spellings[i], 2, &value));
    }
    mlc_context_destroy(ctx);
}

static void
locations(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    MlcLoc unknown = mlc_loc_unknown(ctx), a = mlc_loc_file(ctx, mlc_str("a.mlir"), 3, 7);
    MlcLoc far = mlc_loc_file(ctx, mlc_str("a.mlir"), 1u << 30, 1u << 20); // does not fit the word
    assert_ptr_equal(a, mlc_loc_file(ctx, mlc_str("a.mlir"), 3, 7));
    assert_true(mlc_str_equal(mlc_loc_file_name(ctx, far), mlc_str("a.mlir")));
    assert_int_equal(mlc_loc_line(far), 1u << 30);
    assert_int_equal(mlc_loc_line(a), 3);
    assert_int_equal(mlc_loc_column(a), 7);
    for (unsigned i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "file%u", i);
        MlcLoc loc = mlc_loc_file(ctx, mlc_str(name), i, i);
        assert_true(mlc_str_equal(mlc_loc_file_name(ctx, loc), mlc_str(name)));
    }
    MlcLoc name = mlc_loc_name(ctx, mlc_str("conv1"), a);
    MlcLoc pair[] = {name, unknown, a, name};
    MlcLoc fused = mlc_loc_fused(ctx, pair, 4, NULL);
    assert_int_equal(mlc_loc_num_children(fused), 2);
    MlcLoc nested[] = {fused, far};
    assert_int_equal(mlc_loc_num_children(mlc_loc_fused(ctx, nested, 2, NULL)), 3);
    assert_ptr_equal(mlc_loc_fused(ctx, &unknown, 1, NULL), unknown);
    assert_ptr_equal(mlc_loc_fused(ctx, &a, 1, NULL), a);
    assert_ptr_equal(mlc_loc_find_file(mlc_loc_callsite(ctx, name, far)), a);
    assert_ptr_equal(mlc_attr_as_loc(mlc_loc_attr(ctx, a)), a);
    mlc_context_destroy(ctx);
}

// --- affine: the table of MLIR's simplifications

static MlcContext *affine_ctx;
static MlcAffineExpr
d(unsigned i)
{
    return mlc_affine_dim(affine_ctx, i);
}
static MlcAffineExpr
s(unsigned i)
{
    return mlc_affine_symbol(affine_ctx, i);
}
static MlcAffineExpr
c(int64_t value)
{
    return mlc_affine_constant(affine_ctx, value);
}
#define ADD(a, b) mlc_affine_add(a, b)
#define MUL(a, b) mlc_affine_mul(a, b)
#define FLOORDIV(a, b) mlc_affine_binary(MLC_AFFINE_FLOORDIV, a, b)
#define CEILDIV(a, b) mlc_affine_binary(MLC_AFFINE_CEILDIV, a, b)
#define MOD(a, b) mlc_affine_binary(MLC_AFFINE_MOD, a, b)

static void
affine_simplification(void **state)
{
    (void)state;
    affine_ctx = mlc_context_create();
    MlcAffineExpr table[][2] = {
        {ADD(c(1), c(2)), c(3)},
        {ADD(d(0), c(0)), d(0)},
        {ADD(c(2), d(0)), ADD(d(0), c(2))},
        {ADD(s(0), d(0)), ADD(d(0), s(0))},
        {ADD(ADD(d(0), c(2)), c(3)), ADD(d(0), c(5))},
        {ADD(ADD(d(0), c(2)), d(1)), ADD(ADD(d(0), d(1)), c(2))},
        {ADD(d(0), d(0)), MUL(d(0), c(2))},
        {ADD(MUL(d(0), c(2)), MUL(d(0), c(3))), MUL(d(0), c(5))},
        {mlc_affine_sub(d(0), d(0)), c(0)},
        {ADD(d(0), MUL(FLOORDIV(d(0), c(8)), c(-8))), MOD(d(0), c(8))},
        {ADD(d(0), MUL(MUL(FLOORDIV(d(0), s(0)), s(0)), c(-1))), MOD(d(0), s(0))},
        {MUL(d(0), c(1)), d(0)},
        {MUL(d(0), c(0)), c(0)},
        {MUL(c(4), d(0)), MUL(d(0), c(4))},
        {MUL(MUL(d(0), c(2)), c(3)), MUL(d(0), c(6))},
        {MUL(MUL(d(0), c(2)), s(0)), MUL(MUL(d(0), s(0)), c(2))},
        {FLOORDIV(c(-7), c(2)), c(-4)},
        {CEILDIV(c(-7), c(2)), c(-3)},
        {MOD(c(-7), c(4)), c(1)},
        {FLOORDIV(d(0), c(1)), d(0)},
        {FLOORDIV(MUL(d(0), c(128)), c(64)), MUL(d(0), c(2))},
        {CEILDIV(MUL(d(0), c(128)), c(64)), MUL(d(0), c(2))},
        {FLOORDIV(ADD(MUL(d(0), c(8)), d(1)), c(4)), ADD(MUL(d(0), c(2)), FLOORDIV(d(1), c(4)))},
        {MOD(MUL(d(0), c(128)), c(64)), c(0)},
        {MOD(ADD(MUL(d(0), c(8)), d(1)), c(4)), MOD(d(1), c(4))},
        {MOD(MOD(d(0), c(12)), c(4)), MOD(d(0), c(4))},
        {MOD(d(0), c(1)), c(0)},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i][0] != table[i][1])
            fail_msg("row %zu is not simplified", i);
    // What MLIR leaves alone.
    assert_int_equal(mlc_affine_kind(MOD(d(0), c(0))), MLC_AFFINE_MOD);
    assert_int_equal(mlc_affine_kind(FLOORDIV(d(0), c(0))), MLC_AFFINE_FLOORDIV);
    assert_int_equal(mlc_affine_kind(MUL(ADD(d(0), c(1)), c(2))), MLC_AFFINE_MUL);
    mlc_context_destroy(affine_ctx);
}

// Random expressions: building simplifies, so the value is compared with one computed along the
// way.
static void
affine_value_is_kept(void **state)
{
    (void)state;
    affine_ctx = mlc_context_create();
    srand(7);
    for (int round = 0; round < 20000; round++) {
        int64_t dims[] = {rand() % 64 - 32, rand() % 64 - 32}, symbols[] = {rand() % 9 + 1};
        MlcAffineExpr e = d((unsigned)rand() % 2);
        int64_t value = dims[mlc_affine_position(e)];
        for (int step = 0; step < 6; step++) {
            int64_t k = rand() % 16 + 1, other = dims[rand() % 2 ? 1 : 0];
            MlcAffineExpr x = d(other == dims[1] ? 1 : 0);
            other = dims[mlc_affine_position(x)];
            switch (rand() % 7) {
            case 0:
                e = ADD(e, x);
                value += other;
                break;
            case 1:
                e = ADD(e, c(k - 8));
                value += k - 8;
                break;
            case 2:
                e = MUL(e, c(k - 8));
                value *= k - 8;
                break;
            case 3:
                e = FLOORDIV(e, c(k));
                value = (value - ((value % k) + k) % k) / k;
                break;
            case 4:
                e = CEILDIV(e, c(k));
                value = -((-value - ((-value % k) + k) % k) / k);
                break;
            case 5:
                e = MOD(e, c(k));
                value = ((value % k) + k) % k;
                break;
            default:
                e = ADD(MUL(x, s(0)), e);
                value += other * symbols[0];
                break;
            }
        }
        int64_t result;
        assert_true(mlc_affine_eval(e, dims, symbols, &result));
        assert_int_equal(result, value);
    }
    mlc_context_destroy(affine_ctx);
}

static void
affine_maps(void **state)
{
    (void)state;
    MlcContext *ctx = affine_ctx = mlc_context_create();
    unsigned order[] = {2, 0, 1};
    MlcAffineMap p = mlc_affine_map_permutation(ctx, order, 3),
                 inverse = mlc_affine_map_inverse_permutation(p);
    assert_true(mlc_affine_map_is_permutation(p));
    assert_true(mlc_affine_map_is_identity(mlc_affine_map_compose(p, inverse)));
    MlcAffineExpr conv[] = {d(0), ADD(MUL(d(1), c(2)), d(3)), c(0)};
    MlcAffineMap map = mlc_affine_map_get(ctx, 4, 0, conv, 3);
    assert_false(mlc_affine_map_is_projected_permutation(map, true));
    int64_t point[] = {5, 6, 7, 1}, results[3], coeffs[5];
    assert_true(mlc_affine_map_eval(map, point, results) && results[0] == 5 && results[1] == 13 &&
                results[2] == 0);
    assert_true(mlc_affine_linear(conv[1], 4, 0, coeffs) && coeffs[1] == 2 && coeffs[3] == 1 &&
                coeffs[4] == 0);
    bool dropped[] = {false, false, true, false};
    assert_int_equal(mlc_affine_map_num_dims(mlc_affine_map_drop_dims(map, dropped)), 3);
    bool equality[] = {true, false};
    MlcIntegerSet set = mlc_integer_set_get(ctx, 4, 0, conv, equality, 2);
    assert_ptr_equal(set, mlc_integer_set_get(ctx, 4, 0, conv, equality, 2));
    assert_true(mlc_integer_set_is_equality(set, 0) && !mlc_integer_set_is_equality(set, 1));
    mlc_context_destroy(ctx);
}

// --- threads

#define NUM_THREADS 4
#define NUM_VALUES 20000
static const void *made[NUM_THREADS][NUM_VALUES];

static void *
intern_many(void *user)
{
    MlcContext *ctx = affine_ctx;
    size_t thread = (size_t)(uintptr_t)user;
    for (size_t k = 0; k < NUM_VALUES; k++) {
        size_t i = (k * 7919 + thread * 31) % NUM_VALUES; // each in its own order
        MlcAttr attr = mlc_i64_attr_get(ctx, (int64_t)i);
        int64_t shape[] = {(int64_t)i, 3};
        MlcType type = mlc_tensor_type_get(mlc_float_type_get(ctx, MLC_FLOAT_F32), shape, 2, attr);
        made[thread][i] = mlc_type_attr_get(type);
    }
    return NULL;
}

static void
uniquing_from_threads(void **state)
{
    (void)state;
    affine_ctx = mlc_context_create();
    pthread_t threads[NUM_THREADS];
    for (size_t i = 0; i < NUM_THREADS; i++)
        pthread_create(&threads[i], NULL, intern_many, (void *)(uintptr_t)i);
    for (size_t i = 0; i < NUM_THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < NUM_VALUES; i++)
        for (size_t t = 1; t < NUM_THREADS; t++)
            assert_ptr_equal(made[t][i], made[0][i]);
    mlc_context_destroy(affine_ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_unique),
        cmocka_unit_test(memref_strides),
        cmocka_unit_test(attributes),
        cmocka_unit_test(elements),
        cmocka_unit_test(locations),
        cmocka_unit_test(affine_simplification),
        cmocka_unit_test(affine_value_is_kept),
        cmocka_unit_test(affine_maps),
        cmocka_unit_test(uniquing_from_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
