import { once } from "node:events";
import { Writable } from "node:stream";
import { BatchedWrites } from "../../../src/cli/terminal/terminal";

/** Returns two streams. Both streams record their chunks in one list. Each chunk has the name of its stream. */
function streams() {
  const seen: string[] = [];
  const named = (name: string) =>
    new Writable({
      write(piece, _encoding, done) {
        seen.push(`${name}: ${piece}`);
        done();
      },
      writev(pieces, done) {
        seen.push(`${name}: ${pieces.map(({ chunk }) => String(chunk)).join("")}`);
        done();
      },
    });
  return { seen, out: named("out"), err: named("err") };
}

describe("batched output", () => {
  test("texts of one turn of the event loop become one write", async () => {
    const wait = jest.spyOn(global, "setTimeout");
    const { seen, out } = streams();
    const writes = new BatchedWrites();
    for (const text of ["a", "b", "c"]) writes.write(out, text);
    expect(seen).toEqual([]);
    await new Promise(setImmediate);
    for (const text of ["d", "e"]) writes.write(out, text);
    await new Promise(setImmediate);
    expect(seen).toEqual(["out: abc"]);
    const [end, milliseconds] = wait.mock.lastCall!;
    expect(milliseconds).toBe(40);
    end();
    expect(seen).toEqual(["out: abc", "out: de"]);
    wait.mockRestore();
  });

  test("Steward writes to stdout and stderr in the order in which the command printed", async () => {
    const { seen, out, err } = streams();
    const writes = new BatchedWrites();
    writes.write(err, "1");
    writes.write(err, "2");
    writes.write(out, "3");
    writes.write(err, "4");
    await new Promise(setImmediate);
    expect(seen).toEqual(["err: 12", "out: 3", "err: 4"]);
  });

  test("flush writes all waiting output immediately", async () => {
    const { seen, out } = streams();
    const writes = new BatchedWrites();
    writes.write(out, "last words");
    writes.flush();
    expect(seen).toEqual(["out: last words"]);
    out.end();
    await once(out, "finish");
    writes.flush();
    expect(seen).toEqual(["out: last words"]);
  });
});
