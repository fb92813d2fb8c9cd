/*
 * Simulated visits with a known truth, and how surprising a count is: for the tests of stats/.
 *
 * All models are centred on 0; `scale` is the scatter of an undisturbed visit, a log ratio.
 */
#ifndef TESTS_UNIT_STATS_SIMULATE_H
#define TESTS_UNIT_STATS_SIMULATE_H

#include "runner/stats/judge.h"
#include "runner/stats/rng.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* A test of a rate is wrong once in a million runs of other seeds. */
#define SURPRISE 1e-6

enum model {
	MODEL_NORMAL,
	MODEL_HEAVY,          /* t with two degrees of freedom: the variance is infinite */
	MODEL_BIMODAL,        /* two equal modes six scales apart, the centre between them */
	MODEL_DRIFTING,       /* from one scale below to one above within 64 visits */
	MODEL_LAYOUT,         /* one link in four is four scales slow on either side */
	MODEL_AUTOCORRELATED, /* each visit shares 0.3 with the one before */
	MODEL_COUNT
};

static const char *const model_names[MODEL_COUNT] = {
	"normal", "heavy-tailed", "bimodal", "drifting", "layout-shifted", "autocorrelated"};

struct visits {
	struct rng *rng;
	enum model model;
	double scale;
	uint32_t count;
	double last;
};

static inline double simulate_normal(struct rng *rng)
{
	/* Box and Muller 1958. */
	double radius = sqrt(-2 * log(1 - rng_unit(rng)));

	return radius * cos(2 * acos(-1) * rng_unit(rng));
}

static inline double simulate_visit(struct visits *visits)
{
	double noise = simulate_normal(visits->rng), trend;

	switch (visits->model) {
	case MODEL_HEAVY:
		noise /= sqrt(-log(1 - rng_unit(visits->rng)));
		break;
	case MODEL_BIMODAL:
		noise = noise / 2 + (rng_below(visits->rng, 2) ? 3 : -3);
		break;
	case MODEL_DRIFTING:
		trend = visits->count / 31.5 - 1;
		noise += fmax(-1, fmin(1, trend));
		break;
	case MODEL_LAYOUT:
		noise += 4.0 * (rng_below(visits->rng, 4) == 0) -
			 4.0 * (rng_below(visits->rng, 4) == 0);
		break;
	case MODEL_AUTOCORRELATED:
		noise = visits->count ? 0.3 * visits->last + sqrt(1 - 0.09) * noise : noise;
		break;
	case MODEL_NORMAL:
	case MODEL_COUNT:
	default:
		break;
	}
	visits->last = noise;
	visits->count++;
	return visits->scale * noise;
}

static inline double simulate_log_choose(uint32_t n, uint32_t k)
{
	int sign;

	return lgamma_r(n + 1.0, &sign) - lgamma_r(k + 1.0, &sign) - lgamma_r(n - k + 1.0, &sign);
}

/* P(from <= X <= to), X binomial. */
static inline double simulate_binomial(uint32_t n, double p, uint32_t from, uint32_t to)
{
	double sum = 0;

	for (uint32_t k = from; k <= to; k++)
		sum += exp(simulate_log_choose(n, k) + k * log(p) + (n - k) * log1p(-p));
	return sum;
}

/* Would `hits` of n be a surprise if the rate were at most `rate`? Prints what was seen. */
static inline int simulate_at_most(const char *what, uint32_t hits, uint32_t n, double rate)
{
	printf("    %-58s %6u of %6u = %.5f, at most %.5f\n", what, hits, n, (double)hits / n,
		rate);
	return simulate_binomial(n, rate, hits, n) >= SURPRISE;
}

static inline int simulate_at_least(const char *what, uint32_t hits, uint32_t n, double rate)
{
	printf("    %-58s %6u of %6u = %.5f, at least %.5f\n", what, hits, n, (double)hits / n,
		rate);
	return simulate_binomial(n, rate, 0, hits) >= SURPRISE;
}

#endif
