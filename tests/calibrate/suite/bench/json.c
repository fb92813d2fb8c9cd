/* A scan of JSON: depth, members and numbers, without making a tree. */
#include "../suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json_totals {
	unsigned depth;
	unsigned members;
	long sum;
};

static void *make_records(long value)
{
	char *text = suite_memory(8000);
	uint64_t seed = 53 + (uint64_t)value;
	char *at = text;
	int i;

	*at++ = '[';
	for (i = 0; i < 40; i++)
		at += sprintf(at, "%s{\"id\":%u,\"tag\":\"t\\\"%u\",\"on\":%s,\"at\":[%u,-%u]}",
			i ? "," : "", suite_random(&seed, 99999), suite_random(&seed, 99),
			i % 3 ? "true" : "null", suite_random(&seed, 999), suite_random(&seed, 99));
	strcpy(at, "]");
	duel_bytes(strlen(text));
	return text;
}

static const char *json_skip_string(const char *at)
{
	for (at++; *at != '"'; at++) {
		if (*at == '\\')
			at++;
	}
	return at + 1;
}

static const char *json_add_number(const char *at, long *sum)
{
	int is_negative = *at == '-';
	long number = 0;

	for (at += is_negative; *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (*at - '0');
	*sum += is_negative ? -number : number;
	return at;
}

static struct json_totals json_scan(const char *at)
{
	struct json_totals totals = {0, 0, 0};

	while (*at) {
		if (*at == '{' || *at == '[') {
			totals.depth++;
			at++;
		} else if (*at == ',') {
			totals.members++;
			at++;
		} else if (*at == '"') {
			at = json_skip_string(at);
		} else if (*at == '-' || (*at >= '0' && *at <= '9')) {
			at = json_add_number(at, &totals.sum);
		} else {
			at++;
		}
	}
	return totals;
}

SUITE("json: scan", make_records, free)
{
	struct json_totals totals = json_scan(state);

	duel_keep(totals.sum);
	duel_keep(totals.members);
}
