// A product, softmax and attention as one writes them in CUDA C++, for nvcc: test/e2e/ptxsim_compilers.py runs its PTX.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

// c [M, N] = a [M, K] * b [K, N]: a tile of 32 x 32 by four warps, slices of 32 through two stages of cp.async. K % 32 == 0.
extern "C" __global__ void __launch_bounds__(128)
gemm(const half *a, const half *b, float *c, int M, int N, int K)
{
    __shared__ __align__(128) half tile_a[2][32][40], tile_b[2][32][40];
    __shared__ __align__(128) float out[32][36];
    int row = blockIdx.y * 32, column = blockIdx.x * 32, warp = threadIdx.x / 32;
    int r = threadIdx.x / 4, k = threadIdx.x % 4 * 8; // 8 halves, 16 bytes, a thread
    auto load = [&](int slice) {
        half *to_a = &tile_a[slice % 2][r][k], *to_b = &tile_b[slice % 2][r][k];
        if (row + r < M)
            __pipeline_memcpy_async(to_a, a + (row + r) * K + slice * 32 + k, 16);
        else
            *(int4 *)to_a = make_int4(0, 0, 0, 0);
        if (column + k < N)
            __pipeline_memcpy_async(to_b, b + (slice * 32 + r) * N + column + k, 16);
        else
            *(int4 *)to_b = make_int4(0, 0, 0, 0);
        __pipeline_commit();
    };
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    load(0);
    for (int slice = 0; slice < K / 32; slice++) {
        if (slice + 1 < K / 32)
            load(slice + 1);
        __pipeline_wait_prior(slice + 1 < K / 32);
        __syncthreads();
        for (int i = 0; i < 32; i += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
            wmma::load_matrix_sync(x, &tile_a[slice % 2][warp / 2 * 16][i], 40);
            wmma::load_matrix_sync(y, &tile_b[slice % 2][i][warp % 2 * 16], 40);
            wmma::mma_sync(sum, x, y, sum);
        }
        __syncthreads();
    }
    wmma::store_matrix_sync(&out[warp / 2 * 16][warp % 2 * 16], sum, 36, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * 32; i += 128)
        if (row + i / 32 < M && column + i % 32 < N)
            c[(row + i / 32) * N + column + i % 32] = out[i / 32][i % 32];
}

template <class Combine>
__device__ float
over_block(float value, Combine combine, float none)
{
    __shared__ float parts[32];
    for (int i = 16; i > 0; i /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffff, value, i));
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x % 32 < blockDim.x / 32 ? parts[threadIdx.x % 32] : none;
    for (int i = 16; i > 0; i /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffff, value, i));
    __syncthreads();
    return value;
}

// A block a row of [.., N].
extern "C" __global__ void
softmax(const float *x, float *y, int N)
{
    float most = -INFINITY, sum = 0;
    x += blockIdx.x * N;
    y += blockIdx.x * N;
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        most = fmaxf(most, x[i]);
    most = over_block(most, [](float a, float b) { return fmaxf(a, b); }, -INFINITY);
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        sum += y[i] = expf(x[i] - most);
    sum = over_block(sum, [](float a, float b) { return a + b; }, 0.0f);
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        y[i] = y[i] / sum;
}

// A thread a query of 16 numbers, keys and values by 32 through shared memory, softmax as it goes; causal. q, k, v, y [N, 16].
extern "C" __global__ void __launch_bounds__(64)
attention(const float *q, const float *k, const float *v, float *y, int N, float scale)
{
    enum { D = 16, KEYS = 32 };
    __shared__ float keys[KEYS][D], values[KEYS][D];
    int query = blockIdx.x * 64 + threadIdx.x;
    float own[D], out[D] = {0}, most = -INFINITY, sum = 0;
    for (int d = 0; d < D; d++)
        own[d] = query < N ? q[query * D + d] * scale : 0;
    for (int first = 0; first < N && first <= blockIdx.x * 64 + 63; first += KEYS) {
        for (int i = threadIdx.x; i < KEYS * D; i += 64) {
            keys[i / D][i % D] = first + i / D < N ? k[first * D + i] : 0;
            values[i / D][i % D] = first + i / D < N ? v[first * D + i] : 0;
        }
        __syncthreads();
        for (int i = 0; i < KEYS && first + i <= query && first + i < N; i++) {
            float score = 0;
            for (int d = 0; d < D; d++)
                score += own[d] * keys[i][d];
            float more = fmaxf(most, score), keep = __expf(most - more), weight = __expf(score - more);
            sum = sum * keep + weight;
            for (int d = 0; d < D; d++)
                out[d] = out[d] * keep + weight * values[i][d];
            most = more;
        }
        __syncthreads();
    }
    for (int d = 0; d < D && query < N; d++)
        y[query * D + d] = out[d] / sum;
}
