import { OwnerIndex } from "../../../src/framework/ownership/owners";

const LIST = { place: "members of space 1" };
const ADA = { ...LIST, entry: "ada" };

describe("an index of owners", () => {
  const index = new OwnerIndex<string>();
  index.add({ identity: "list 1", service: "one", shares: [LIST] }, "list");
  index.add({ identity: "entry ada", service: "one", shares: [ADA] }, "ada");
  index.add({ identity: "entry ben", service: "one", shares: [{ ...LIST, entry: "ben" }] }, "ben");
  index.add({ identity: "list 1 of two", service: "two", shares: [LIST] }, "list of two");

  test("an index returns the declarations that own an object, its whole set or an entry of the set", () => {
    expect(index.related({ identity: "entry ada", service: "one", shares: [ADA] })).toEqual([
      "ada",
      "list",
      "ada",
    ]);
    expect(index.sharing("one", LIST)).toEqual(["list", "ada", "ben"]);
  });

  test("an index does not confuse the owners of objects with the same identity on different services", () => {
    expect(index.sharing("two", ADA)).toEqual(["list of two"]);
    expect(index.sharing("three", ADA)).toEqual([]);
  });

  test("an index returns an owner once, even if this owner was added twice for one identity", () => {
    index.add({ identity: "entry ada" }, "ada");
    expect(index.same("entry ada")).toEqual(["ada"]);
    expect(index.same(undefined)).toEqual([]);
  });
});
