#include "sandbox/environment.h"

#include <stdio.h>
#include <string.h>

static bool is_named(const char *variable, const char *name, size_t name_length)
{
	return strncmp(variable, name, name_length) == 0 && variable[name_length] == '=';
}

static bool is_added(const char *const *added, const char *name, size_t name_length)
{
	for (; added != NULL && *added != NULL; added++)
		if (is_named(*added, name, name_length))
			return true;
	return false;
}

/* Where a command may write: its scratch, else what is private, else the tree. */
static const char *find_home(const struct sandbox_cell *cell)
{
	return cell->scratch[0] != '\0' ? cell->scratch : cell->tree;
}

static const char *find_tmp(const struct sandbox_cell *cell)
{
	bool private_tmp = cell->machine.tier == SANDBOX_TIER_ROOT ||
			   cell->machine.tier == SANDBOX_TIER_USERNS;

	return private_tmp ? "/tmp" : find_home(cell);
}

int environment_build(const struct sandbox_cell *cell, const char *const *added,
	struct buf *strings, uint32_t *count, struct err *err)
{
	const struct {
		const char *name;
		const char *value;
	} built[] = {
		{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
		{"HOME", find_home(cell)},
		{"TMPDIR", find_tmp(cell)},
		{"LANG", "C.UTF-8"},
		{"TZ", "UTC"},
		{"CI", "true"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(built); i++) {
		if (is_added(added, built[i].name, strlen(built[i].name)))
			continue;
		if (buf_printf(strings, err, "%s=%s", built[i].name, built[i].value) < 0 ||
			buf_append(strings, "", 1, err) < 0)
			return -1;
		++*count;
	}
	for (; added != NULL && *added != NULL; added++) {
		const char *equals = strchr(*added, '=');

		if (equals == NULL || equals == *added)
			return err_set(
				err, ERR_BENCH, "'%s' is not of the form NAME=value", *added);
		/* Of two with one name the last counts. */
		if (is_added(added + 1, *added, (size_t)(equals - *added)))
			continue;
		if (buf_append(strings, *added, strlen(*added) + 1, err) < 0)
			return -1;
		++*count;
	}
	return 0;
}
