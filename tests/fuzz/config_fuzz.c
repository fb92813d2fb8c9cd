/* libFuzzer: any bytes as duel.json, alone and as the candidate against itself. */
#include "runner/config.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_CONFIG config = {0};
	AUTO_CONFIG effective = {0};
	struct limits limits;
	struct err err = {0};
	AUTO_BUF changes;

	buf_init(&changes, 4 * CONFIG_BYTES_MAX);
	if (config_parse(&config, (const char *)data, size, CONFIG_FILE_NAME, &err) < 0)
		return 0;
	config_effective_limits(&config, "parse: small", &limits);
	if (config_gate(&effective, &config, &config, &changes, &err) < 0 || changes.length > 0)
		__builtin_trap();
	return 0;
}
