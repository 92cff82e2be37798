import { testCompleteness } from "../../support/every-resource";
import { CASES } from "./cases";

/** Every type of ours that some step declares in blocks of one kind. */
function typesIn(kind: "resource" | "data"): Readonly<Record<string, true>> {
  const blocks = CASES.flatMap(({ steps }) => steps.map(({ declares }) => declares[kind] ?? {}));
  const types = blocks.flatMap((block) => Object.keys(block as object));
  return Object.fromEntries(types.filter((type) => type.startsWith("steward_")).map((type) => [type, true]));
}

testCompleteness({
  about: "the comparison of both engines",
  samples: typesIn("resource"),
  file: "test/acceptance/differential/cases/objects.ts",
});
