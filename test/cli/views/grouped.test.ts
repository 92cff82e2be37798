import { grouped } from "../../../src/cli/views/grouped";
import { type ErrorCode, error } from "../../../src/diagnostics";

const at = (code: ErrorCode, index: number) =>
  error({ code, summary: "S", detail: `request ${index}`, address: `acme_thing.t${index}` });

describe("what every object met", () => {
  test("is told once, with the names of the others", () => {
    const all = Array.from({ length: 8 }, (_, index) => at("unauthorized", index));
    expect(grouped(all)).toEqual([
      {
        ...all[0],
        detail:
          "request 0\n\nThe same happened to acme_thing.t1, acme_thing.t2, acme_thing.t3, acme_thing.t4, acme_thing.t5 and 2 more.",
      },
    ]);
  });

  test("is told for each where it is a matter of the object", () => {
    const all = [at("forbidden", 1), at("forbidden", 2), at("unreachable", 3)];
    expect(grouped(all)).toEqual(all);
  });
});
