// Hash maps: contents against a plain table, order of iteration, use as a stack, keys of strings;
// the hash itself.
#include "mlc/support/hash.h"
#include "mlc/support/map.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NUM_KEYS = 500 };

static void
agrees_with_a_table(void **state)
{
    (void)state;
    MlcMap map;
    mlc_map_init(&map);
    uint64_t table[NUM_KEYS] = {0}, random = 1, size = 0;
    for (int step = 0; step < 100000; step++) {
        random = mlc_hash_u64(random);
        uint64_t key = random % NUM_KEYS, value = random >> 32 | 1, found;
        if (random >> 20 & 1) {
            size += table[key] == 0;
            table[key] = value;
            mlc_map_set_u64(&map, key, value);
        } else {
            assert_int_equal(mlc_map_erase_u64(&map, key), table[key] != 0);
            size -= table[key] != 0;
            table[key] = 0;
        }
        assert_int_equal(mlc_map_size(&map), size);
        key = random >> 10 & 255;
        assert_int_equal(mlc_map_get_u64(&map, key, &found), table[key] != 0);
        if (table[key])
            assert_true(found == table[key]);
    }
    uint64_t seen = 0;
    MLC_MAP_FOR_EACH (entry, &map) {
        assert_true(table[entry->key] == entry->value);
        seen++;
    }
    assert_true(seen == size);
    mlc_map_release(&map);
}

static void
iterates_in_insertion_order(void **state)
{
    (void)state;
    MlcMap map = {0};
    for (uint64_t i = 0; i < 1000; i++)
        mlc_map_set_u64(&map, i * 7919 % 1009, i);
    MLC_MAP_FOR_EACH (entry, &map)
        if (entry->value % 2)
            mlc_map_erase_u64(&map, entry->key);
    for (uint64_t i = 1000; i < 3000; i++)
        mlc_map_set_u64(&map, i * 100003, i);
    uint64_t last = 0, count = 0;
    MLC_MAP_FOR_EACH (entry, &map) {
        assert_true(count == 0 || entry->value > last);
        last = entry->value;
        count++;
    }
    assert_int_equal(count, 2500);
    mlc_map_clear(&map);
    assert_false(mlc_map_has_u64(&map, 0));
    mlc_map_release(&map);
}

static void
serves_as_a_stack_of_unique_things(void **state)
{
    (void)state;
    MlcMap map = {0};
    int things[10];
    for (int round = 0; round < 100000; round++) {
        assert_true(mlc_map_add(&map, &things[round % 10]));
        assert_false(mlc_map_add(&map, &things[round % 10]));
        assert_true(mlc_map_erase(&map, &things[round % 10]));
    }
    assert_true(map.num_slots <= 16);
    mlc_map_release(&map);
}

static void
null_is_a_key(void **state)
{
    (void)state;
    MlcMap map = {0};
    int value;
    assert_null(mlc_map_get(&map, NULL));
    assert_false(mlc_map_has(&map, NULL));
    mlc_map_set(&map, NULL, &value);
    assert_ptr_equal(mlc_map_get(&map, NULL), &value);
    mlc_map_reserve(&map, 1000);
    assert_ptr_equal(mlc_map_get(&map, NULL), &value);
    mlc_map_release(&map);
}

static void
string_keys_are_copied(void **state)
{
    (void)state;
    MlcArena arena = {0};
    MlcStrMap map;
    mlc_str_map_init(&map, &arena);
    char key[32];
    for (int i = 0; i < 2000; i++) {
        snprintf(key, sizeof key, "key%d", i);
        mlc_str_map_set_u64(&map, mlc_str(key), (uint64_t)i);
    }
    uint64_t value;
    for (int i = 0; i < 2000; i++) {
        snprintf(key, sizeof key, "key%d", i);
        assert_true(mlc_str_map_get_u64(&map, mlc_str(key), &value));
        assert_int_equal(value, i);
    }
    assert_true(mlc_str_map_erase(&map, mlc_str("key7")));
    assert_false(mlc_str_map_erase(&map, mlc_str("key7")));
    assert_false(mlc_str_map_has(&map, mlc_str("key")));
    uint64_t next = 0;
    MLC_STR_MAP_FOR_EACH (entry, &map) {
        next += next == 7;
        assert_true(entry->value == next++);
    }
    assert_int_equal(mlc_str_map_size(&map), 1999);
    mlc_str_map_release(&map);
    mlc_arena_release(&arena);
}

// Nothing subtle: equal prefixes of all lengths differ, and bit flips move about half of the bits.
static void
hash_spreads(void **state)
{
    (void)state;
    char zeros[200] = {0};
    MlcMap seen = {0};
    for (size_t size = 0; size < sizeof zeros; size++)
        mlc_map_set_u64(&seen, mlc_hash_bytes(zeros, size, 0), size);
    assert_int_equal(mlc_map_size(&seen), sizeof zeros);
    mlc_map_release(&seen);
    int moved = 0;
    for (int bit = 0; bit < 64; bit++)
        moved +=
            __builtin_popcountll(mlc_hash_u64(12345) ^ mlc_hash_u64(12345 ^ UINT64_C(1) << bit));
    assert_in_range(moved, 64 * 28, 64 * 36);
    assert_true(mlc_hash_combine(mlc_hash_combine(0, 1), 2) !=
                mlc_hash_combine(mlc_hash_combine(0, 2), 1));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_table),
        cmocka_unit_test(iterates_in_insertion_order),
        cmocka_unit_test(serves_as_a_stack_of_unique_things),
        cmocka_unit_test(null_is_a_key),
        cmocka_unit_test(string_keys_are_copied),
        cmocka_unit_test(hash_spreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
