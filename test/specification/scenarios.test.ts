import { testCompleteness } from "../support/every-resource";
import { SCENARIOS } from "./scenarios";

/** The types of one kind that scenarios are named after, such as `resource steward_pages_settings: create`. */
const typesOf = (kind: string) =>
  Object.fromEntries(
    SCENARIOS.map(({ name }) => name.split(/[ :]/))
      .filter(([first]) => first === kind)
      .map(([, type]) => [type!, true]),
  );

testCompleteness({
  about: "the rows of the specification",
  samples: typesOf("resource"),
  file: "test/specification/scenarios/resources.ts",
});

const NOT_SPECIFIED = "the specification has no row for this look-up";
testCompleteness({
  over: "data source",
  about: "the rows of the specification",
  samples: typesOf("data"),
  file: "test/specification/scenarios/data-sources.ts",
  without: {
    steward_project: NOT_SPECIFIED,
    steward_projects: NOT_SPECIFIED,
    steward_group: NOT_SPECIFIED,
  },
});
