#include "runner/tree_pointer.h"

#include "sandbox/base/text.h"

#include <stdio.h>
#include <string.h>

#define POINTER_BYTES_MAX 1024
#define DIGEST_DIGITS 64

/* The rest of the line that starts with `key`, NULL where there is none. *end = its line's end. */
static const char *find_line(const char *text, const char *key, const char **end)
{
	size_t length = strlen(key);

	while (*text) {
		const char *stop = strchr(text, '\n');

		*end = stop ? stop : text + strlen(text);
		if (strncmp(text, key, length) == 0)
			return text + length;
		text = stop ? stop + 1 : *end;
	}
	return NULL;
}

bool tree_pointer_parse(struct tree_pointer *out, const void *bytes, size_t length)
{
	static const char version[] = "version https://git-lfs.github.com/spec/v1\n";
	char text[POINTER_BYTES_MAX + 1];
	char size[24];
	const char *digest, *digits, *end;

	if (length < sizeof(version) || length > POINTER_BYTES_MAX ||
		memcmp(bytes, version, sizeof(version) - 1) != 0 || memchr(bytes, '\0', length))
		return false;
	memcpy(text, bytes, length);
	text[length] = '\0';
	digest = find_line(text, "oid sha256:", &end);
	if (!digest || end - digest != DIGEST_DIGITS ||
		strspn(digest, "0123456789abcdef") != DIGEST_DIGITS)
		return false;
	(void)snprintf(out->path, sizeof(out->path), "%.2s/%.2s/%.64s", digest, digest + 2, digest);
	digits = find_line(text, "size ", &end);
	if (!digits || (size_t)(end - digits) >= sizeof(size))
		return false;
	memcpy(size, digits, (size_t)(end - digits));
	size[end - digits] = '\0';
	return text_to_u64(size, INT64_MAX, &out->size);
}
