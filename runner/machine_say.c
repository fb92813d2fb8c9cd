#include "runner/machine_say.h"

void machine_say(const struct sandbox_machine *machine, struct log *log)
{
	log_detail(log, "confinement: tier %s, Landlock %s%d, cgroup v2 %s",
		sandbox_tier_name(machine->tier), machine->landlock_abi > 0 ? "ABI " : "",
		machine->landlock_abi, machine->cgroup ? "granted" : "not granted");
	if (machine->advice[0] != '\0')
		log_detail(log, "confinement: %s", machine->advice);
	for (enum sandbox_property p = 0; p < SANDBOX_PROPERTIES; p++)
		log_detail(log, "confinement: %s: %s", sandbox_property_name(p),
			machine->provider[p][0] != '\0' ? machine->provider[p] : "missing");
}
