#!/usr/bin/env python3
# An independent reader's word on artifact documents: validate.py SCHEMA FILE... names what breaks the schema.
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
broken = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    for error in validator.iter_errors(document):
        broken = 1
        print(f"{path}: {'.'.join(str(part) for part in error.absolute_path)}: {error.message[:200]}")
        break
sys.exit(broken)
