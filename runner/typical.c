#include "runner/typical.h"

#include "runner/stats/order.h"

#include <stdlib.h>

int typical_add(struct typical *typical, double value, struct err *err)
{
	if (typical->count == typical->room) {
		size_t room = typical->room ? typical->room * 2 : 16;
		double *values = realloc(typical->values, room * sizeof(*values));

		if (!values)
			return err_errno(err, ERR_OS, "figures of a visit");
		typical->values = values;
		typical->room = room;
	}
	typical->values[typical->count++] = value;
	return 0;
}

double typical_median(struct typical *typical)
{
	order_sort(typical->values, typical->count);
	return order_median(typical->values, typical->count);
}

void typical_release(struct typical *typical)
{
	free(typical->values);
	*typical = (struct typical){NULL, 0, 0};
}
