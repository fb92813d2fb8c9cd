#include "runner/provenance.h"

#include "runner/machine_facts.h"

#include <sys/random.h>
#include <time.h>

int provenance_version(struct report_version *out, const struct version *version, struct err *err)
{
	out->worktree = version->worktree;
	if (report_set(&out->commit, version->commit, SCHEMA_NAME_BYTES_MAX, err) < 0 ||
		report_set(&out->ref, version->ref, SCHEMA_NAME_BYTES_MAX, err) < 0)
		return -1;
	return report_set(&out->subject, version->subject, SCHEMA_NAME_BYTES_MAX, err);
}

static int describe_machine(struct report_machine *machine, struct err *err)
{
	struct machine_facts facts;

	machine_facts_read(&facts);
	machine->cores = facts.processors > 0 ? (uint32_t)facts.processors : 1;
	machine->load_start = facts.load_1min > 0 ? facts.load_1min : 0;
	if (report_set(&machine->cpu, facts.model[0] ? facts.model : "unknown",
		    SCHEMA_NAME_BYTES_MAX, err) < 0)
		return -1;
	return report_set(&machine->kernel, facts.kernel, SCHEMA_NAME_BYTES_MAX, err);
}

static int describe_confinement(
	struct report_machine *out, const struct sandbox_machine *machine, struct err *err)
{
	for (enum sandbox_property p = 0; p < SANDBOX_PROPERTIES; p++) {
		if (!machine->provider[p][0] &&
			report_note(out->missing, err, "%s", sandbox_property_name(p)) < 0)
			return -1;
	}
	return report_set(&out->tier, sandbox_tier_name(machine->tier), SCHEMA_NAME_BYTES_MAX, err);
}

int provenance_run(struct report *report, uint64_t seed, const struct sandbox_machine *machine,
	struct err *err)
{
	char started[32];
	time_t now = time(NULL);
	struct tm utc;

	(void)gmtime_r(&now, &utc);
	(void)strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &utc);
	report->seed = seed;
	if (seed == 0 && getrandom(&report->seed, sizeof(report->seed), 0) != sizeof(report->seed))
		return err_errno(err, ERR_OS, "random seed");
	if (report_set(&report->duel_version, DUEL_VERSION, SCHEMA_NAME_BYTES_MAX, err) < 0 ||
		report_set(&report->started, started, SCHEMA_NAME_BYTES_MAX, err) < 0 ||
		describe_machine(&report->machine, err) < 0)
		return -1;
	return describe_confinement(&report->machine, machine, err);
}
