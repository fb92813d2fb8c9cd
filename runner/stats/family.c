#include "runner/stats/family.h"

double family_alpha(double confidence, uint32_t benchmarks)
{
	double alpha = (1 - confidence) / 2;

	return benchmarks > FAMILY_REFERENCE ? alpha * FAMILY_REFERENCE / benchmarks : alpha;
}
