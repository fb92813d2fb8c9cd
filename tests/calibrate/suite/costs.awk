# "   1234.5 ns  NAME  (...)" as the suite prints by hand -> plant.h
$2 == "ns" {
	name = $0
	sub(/^ *[0-9.]+ ns  /, "", name)
	sub(/  \(.*/, "", name)
	costs[++count] = sprintf("{\"%s\", %.0f}", name, $1 / step)
}
END {
	print "/* What an iteration costs, in planted steps of " step " ns: measured, not to be edited. */"
	printf "#define PLANT_COSTS"
	for (i = 1; i <= count; i++)
		printf "%s \\\n\t%s", (i > 1 ? "," : ""), costs[i]
	print ""
	if (count == 0)
		exit 1
}
