import { ProvenByReading, SecondLooks } from "../../src/framework/operations/contradictions";

// If a read contradicts an accepted write, the provider pauses and repeats the read before it believes the result. All
// objects of a run share a budget of 15 seconds for these pauses.

/** Returns second looks whose pauses take no time, and the total length of these pauses. */
function counted() {
  const waited: number[] = [];
  const wait = async (milliseconds: number) => {
    waited.push(milliseconds);
    return true;
  };
  return { looks: new SecondLooks(wait), total: () => waited.reduce((sum, one) => sum + one, 0) };
}

test("if no read shows the write of 100 objects, each object is read six times within 15 seconds", async () => {
  const { looks, total } = counted();
  let reads = 0;
  const never = async () => {
    reads += 1;
    return false;
  };
  const objects = Array.from({ length: 100 }, () => looks.until(false, (seen) => seen, never));
  expect(new Set(await Promise.all(objects))).toEqual(new Set([false]));
  expect(total()).toBe(15_000);
  expect(reads).toBe(600);
});

test("if a run has used up its waiting time, an object whose read contradicts a write is read again once", async () => {
  const { looks } = counted();
  await looks.until(
    false,
    (seen) => seen,
    async () => false,
  );
  let reads = 0;
  const settled = await looks.until(
    false,
    (seen) => seen,
    async () => {
      reads += 1;
      return true;
    },
  );
  expect([settled, reads]).toEqual([true, 1]);
});

test("if the first read agrees with the write, the object is not read again", async () => {
  const { looks, total } = counted();
  expect(
    await looks.until(
      true,
      (seen) => seen,
      () => Promise.reject(new Error("read")),
    ),
  ).toBe(true);
  expect(total()).toBe(0);
});

test("if a run was stopped, an object whose read contradicts a write is read again once", async () => {
  const looks = new SecondLooks(async () => false);
  let reads = 0;
  await looks.until(
    false,
    (seen) => seen,
    async () => {
      reads += 1;
      return false;
    },
  );
  expect(reads).toBe(1);
});

test("if two responses of one operation do not prove the write, the run prints one warning for the operation", () => {
  const proven = new ProvenByReading();
  const answer = (operation: string) => ({
    operation,
    request: `PUT /${operation}`,
    detail: "",
    isPending: false,
  });
  expect(proven.warnings([answer("things.update"), answer("things.update")])).toHaveLength(1);
  expect(proven.warnings([answer("things.update")])).toEqual([]);
  expect(proven.warnings([answer("things.delete")])).toMatchObject([
    { severity: "warning", code: "proven_by_reading", cause: "things.delete" },
  ]);
});
