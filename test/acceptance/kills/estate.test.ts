import { testCompleteness } from "../../support/every-resource";
import { configuration } from "./estate";

testCompleteness({
  about: "kills",
  samples: configuration().resource,
  file: "test/acceptance/kills/estate.ts",
});
