import fs, { readFileSync } from "node:fs";
import path from "node:path";
import { onFailingDisk } from "../../support/failing-disk";
import { usePlace } from "../support/place";

const place = usePlace("all");

/** Runs a command while the folder of the configuration and the state is read-only. */
async function run(...args: readonly string[]) {
  const { result } = await onFailingDisk({ folder: place.folder, code: "EROFS", from: 1 }, () =>
    place.run([...args, "--config", "."]),
  );
  return { code: result.code, text: `${result.out}${result.err}`.replace(/[\s│╷╵]+/g, " ") };
}

beforeAll(async () => {
  expect(await place.run(["apply", "--auto-approve", "--config", "."])).toMatchObject({ code: 0 });
});

test.each([[["plan"]], [["apply", "--auto-approve"]], [["state", "rm", "steward_job_token_scope.limit"]]])(
  "in a read-only folder, %j fails and suggests a writable copy of the folder or --lock=false",
  async (args) => {
    const before = readFileSync(path.join(place.folder, "terraform.tfstate"), "utf8");
    const asked = place.service.requests.all.length;
    const { code, text } = await run(...args);
    expect(code).toBe(1);
    expect(text).toContain("terraform.tfstate can't be locked (EROFS)");
    expect(text).toContain(
      "a writable copy of the folder. To plan without the lock, use this command. steward plan --config . --lock=false",
    );
    expect(place.read("terraform.tfstate")).toBe(before);
    expect(place.service.requests.all.length).toBe(asked);
  },
);

test.each([[["plan", "--lock=false"]], [["drift"]], [["state", "list"]], [["validate"]]])(
  "%j succeeds in a read-only folder",
  async (args) => {
    expect(await run(...args)).toMatchObject({ code: 0 });
  },
);

test("if synth can't remove the old manifest, it fails and suggests another output folder", async () => {
  place.write("app/cdktf.json", { app: "touch ran" });
  place.write("app/cdktf.out/manifest.json", { version: "0.21.0", stacks: {} });
  const denied = Object.assign(new Error("EROFS"), { code: "EROFS" });
  const remove = jest.spyOn(fs, "rmSync").mockImplementation(() => {
    throw denied;
  });
  const { code, err } = await place.runIn("app", ["synth"]).finally(() => remove.mockRestore());
  expect({ code, err: err.replace(/[\s│╷╵]+/g, " ") }).toMatchObject({
    code: 1,
    err: expect.stringContaining("Choose a writable output folder with --output DIR"),
  });
  expect(fs.existsSync(path.join(place.folder, "app/ran"))).toBe(false);
});
