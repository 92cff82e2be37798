import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { COMMANDS } from "../../../src/cli/commands";
import { runs } from "../../support/capabilities";
import { onFailingDisk, onGarbledDisk } from "../../support/failing-disk";
import { usePlace } from "../support/place";

const place = usePlace("each");
const at = (name: string) => path.join(place.folder, name);
const HANDWRITTEN = "# Written by hand\n";
const OF_EARLIER = path.join(__dirname, "fixtures", "of-0.2.0");

interface Writer {
  readonly command: readonly string[];
  readonly file: string;
  /** The content of the file that an earlier version wrote. */
  readonly earlier: string;
  /** Creates the files that the command needs. */
  readonly needs?: () => void;
  /** Matches the start of the new content. */
  readonly begins: RegExp;
}

const PLAN = ["plan", "--config", "cfg"];
const plans = (option: string, file: string, earlier: string, begins: RegExp): Writer => ({
  command: [...PLAN, option, file],
  ...{ file, earlier, begins },
});

const MOVED = () => {
  const { a, b } = { a: "acme/shop", b: "first" };
  const of = (name: string) => ({ resource: { steward_job_token_scope: { [name]: { project: a } } } });
  place.write("cfg/main.tf.json", {
    ...JSON.parse(place.read("main.tf.json")),
    data: {},
    output: {},
    ...of(b),
  });
};

const WRITERS: Readonly<Record<string, Writer>> = {
  "plan --out": plans("--out", "out.json", "saved.plan", /^\{"steward_plan":/),
  "plan --out-approval": plans(
    "--out-approval",
    "out.json",
    "approval.json",
    /^\{\n {2}"format_version": "2.0",\n {2}"commit"/,
  ),
  "plan --report in Markdown": plans("--report", "README.md", "plan.md", /^<!-- steward plan -->/),
  "plan --report in HTML": plans("--report", "out.html", "plan.html", /^<!doctype html>/),
  "plan --report for JUnit": plans("--report", "out.xml", "plan.xml", /^<\?xml/),
  "plan --report for the widget": plans("--report", "out.widget.json", "plan.widget.json", /^\{"create"/),
  "plan --report in JSON": plans("--report", "out.json", "plan.json", /"steward_version"/),
  "drift --report": {
    command: ["drift", "--config", "cfg", "--report", "drift.json"],
    file: "drift.json",
    earlier: "drift.json",
    begins: /"steward_version"/,
  },
  "apply --report": {
    command: ["apply", "--config", "cfg", "--auto-approve", "--report", "out.md"],
    file: "out.md",
    earlier: "apply.md",
    begins: /^<!-- steward apply -->/,
  },
  "plan --write-imports": {
    command: [...PLAN, "--write-imports", "i.tf"],
    file: "i.tf",
    earlier: "imports.tf",
    begins: /^import \{/,
  },
  "plan --write-imports in JSON": {
    command: [...PLAN, "--write-imports", "i.json"],
    file: "i.json",
    earlier: "imports.json",
    begins: /^\{\n {2}"import"/,
  },
  "report merge": {
    command: ["report", "merge", "1.json", "--report", "out.md"],
    file: "out.md",
    earlier: "drift.md",
    begins: /^<!-- steward drift -->/,
    needs: () => void place.write("1.json", readFileSync(path.join(OF_EARLIER, "drift.json"), "utf8")),
  },
  history: {
    command: ["history", "runs", "--out", "page.html"],
    file: "page.html",
    earlier: "history.html",
    begins: /^<!doctype html>/,
    needs: () => void place.write("runs/1.json", readFileSync(path.join(OF_EARLIER, "drift.json"), "utf8")),
  },
  "history without --out": {
    command: ["history", "runs"],
    file: "runs/index.html",
    earlier: "history.html",
    begins: /^<!doctype html>/,
    needs: () => void place.write("runs/1.json", readFileSync(path.join(OF_EARLIER, "drift.json"), "utf8")),
  },
  snapshot: {
    command: ["snapshot", "acme/shop", "--out", "out.yaml"],
    file: "out.yaml",
    earlier: "snapshot.yaml",
    begins: /^# Written by `steward snapshot`/,
  },
};

beforeEach(() => {
  place.write("cfg/main.tf.json", place.read("main.tf.json"));
});

describe.each(Object.entries(WRITERS))("%s", (name, { command, file, earlier, begins, needs }) => {
  const prepare = async () => {
    needs?.();
    if (!name.startsWith("plan --write-imports")) return;
    const { code } = await place.run([
      "apply",
      "--config",
      "cfg",
      "--auto-approve",
      "--state",
      "other.tfstate",
    ]);
    expect(code).toBe(0);
  };

  test("if the output file exists and Steward did not write it, the command fails before the first request", async () => {
    await prepare();
    place.write(file, HANDWRITTEN);
    const asked = place.service.requests.all.length;
    const { code, err } = await place.run(command);
    expect({ code, text: place.read(file) }).toEqual({ code: 1, text: HANDWRITTEN });
    expect(err.replace(/\n│?\s*/g, " ")).toContain("--force");
    expect(place.service.requests.all.length).toBe(asked);
  });

  test("with --force, the command replaces a file that Steward did not write", async () => {
    await prepare();
    place.write(file, HANDWRITTEN);
    await place.run([...command, "--force"]);
    expect(place.read(file)).toMatch(begins);
  });

  test("without --force, the command replaces an empty file, and a file that this or an earlier release wrote", async () => {
    await prepare();
    const replace = async () => {
      const { code } = await place.run(command);
      expect(code).toBe(0);
      expect(place.read(file)).toMatch(begins);
    };
    place.write(file, readFileSync(path.join(OF_EARLIER, earlier), "utf8"));
    await replace();
    place.write(file, "");
    await replace();
    await replace();
  });

  test("if the output file is a link to a handwritten file, the command fails without --force", async () => {
    await prepare();
    place.write("elsewhere/target", HANDWRITTEN);
    const link = at(file);
    symlinkSync(at("elsewhere/target"), link);
    expect(await place.run(command)).toMatchObject({ code: 1 });
    expect(place.read("elsewhere/target")).toBe(HANDWRITTEN);
    await place.run([...command, "--force"]);
    expect(place.read("elsewhere/target")).toMatch(begins);
  });

  test("the command can write to a device through a link", async () => {
    await prepare();
    mkdirSync(path.dirname(at(file)), { recursive: true });
    symlinkSync("/dev/null", at(file));
    const { err } = await place.run(command);
    expect(err).not.toContain("Error");
    expect(lstatSync(at(file)).isSymbolicLink()).toBe(true);
  });

  // Each number is the file system call at which the disk begins to fail. `npm test` tries only some numbers, because all
  // writers use one function. For a full disk, it tries 1 and one later number, which depends on the writer.
  const later = Object.keys(WRITERS).indexOf(name) % 2 === 0 ? 2 : 3;
  test.each([
    ["full", "ENOSPC", "The disk is full: free space", runs([1, later], [1, 2, 3])],
    ["read-only", "EROFS", "The place is read-only for this user", runs([1], [1, 2, 3])],
  ] as const)(
    "if the disk is %s at any of the writes, the command fails and leaves the earlier file unchanged",
    async (_, code, advice, calls) => {
      await prepare();
      const before = readFileSync(path.join(OF_EARLIER, earlier), "utf8");
      place.write(file, before);
      const folder = path.join(path.dirname(at(file)), `.${path.basename(file)}`);
      for (const from of calls) {
        const { result, calls: made } = await onFailingDisk({ folder, code, from }, () => place.run(command));
        if (from > 1 && made < from) break;
        expect(result.code).toBe(1);
        expect(result.err.replace(/[\s│╷╵]+/g, " ")).toContain(advice);
        expect(place.read(file)).toBe(before);
        expect(readdirSync(path.dirname(at(file))).filter((name) => name.endsWith(".new"))).toEqual([]);
      }
    },
  );

  test("if the disk returns different bytes than Steward wrote, the command leaves the earlier file unchanged", async () => {
    await prepare();
    const before = readFileSync(path.join(OF_EARLIER, earlier), "utf8");
    place.write(file, before);
    const folder = path.join(path.dirname(at(file)), `.${path.basename(file)}`);
    const { result, garbled } = await onGarbledDisk(folder, () => place.run(command));
    expect({ garbled, code: result.code, text: place.read(file) }).toEqual({
      garbled: 1,
      code: 1,
      text: before,
    });
    expect(result.err.replace(/[\s│╷╵]+/g, " ")).toContain("the disk returned other bytes than were written");
  });

  test("if the output path is a folder, the command fails, even with --force", async () => {
    await prepare();
    place.write(`${file}/inside`, HANDWRITTEN);
    const { code, err } = await place.run([...command, "--force"]);
    expect(code).toBe(1);
    expect(err).toContain("a folder");
    expect(err).not.toContain("Internal error");
    expect(place.read(`${file}/inside`)).toBe(HANDWRITTEN);
  });
});

describe("plan --write-moves", () => {
  beforeEach(async () => {
    MOVED();
    await place.run(["apply", "--config", "cfg", "--auto-approve"]);
    place.write("cfg/main.tf.json", place.read("cfg/main.tf.json").replace('"first"', '"second"'));
  });

  test.each([["moves.tf"], ["moves.json"], ["cfg/moves.tf.json"]])(
    "plan --write-moves writes %s, and a second plan overwrites this file",
    async (file) => {
      for (const before of ["", "again"]) {
        const { code, err } = await place.run([...PLAN, "--write-moves", file!]);
        expect({ before, code, err: err.includes("Error") }).toEqual({ before, code: 0, err: false });
        expect(place.read(file!)).toContain("steward_job_token_scope.second");
      }
    },
  );

  test.each([[[]], [["--force"]]])(
    "plan --write-moves refuses to replace main.tf.json of the configuration (more options: %j)",
    async (more) => {
      const before = place.read("cfg/main.tf.json");
      const { code, err } = await place.run([...PLAN, "--write-moves", "cfg/main.tf.json", ...more]);
      expect(code).toBe(1);
      expect(err).toContain("One file for two purposes");
      expect(place.read("cfg/main.tf.json")).toBe(before);
    },
  );
});

describe("plan refuses an output file that the same plan also reads, or writes for another purpose", () => {
  const state = "cfg/terraform.tfstate";
  const CASES: readonly (readonly string[])[] = [
    ["--out", "p.json", "--report", "p.json"],
    ["--out", "p.json", "--report", "./cfg/../p.json"],
    ["--out", "p.json", "--report", "linked.json"],
    ["--report", "p.md", "--report", "p.md"],
    ["--report", "cfg/main.tf.json"],
    ["--out", "cfg/main.tf.json"],
    ["--out-approval", "cfg/main.tf.json"],
    ["--report", "cfg/new.tf.json"],
    ["--report", "cfg/new.auto.tfvars.json"],
    ["--out", "cdktf.json"],
    ["--var-file", "v.json", "--report", "v.json"],
    ["--waivers", "w.yaml", "--out", "w.yaml"],
    ["--policy", "policy.js", "--out", "policy.js"],
    ["--out", state],
    ["--report", state, "--report-format", "json"],
    ["--out", `${state}.backup`],
    ["--out", `${state}.journal`],
    ["--out", "cfg/.terraform.tfstate.lock.info"],
    ["--state", "s.json", "--report", "s.json"],
    ["--state", "s.json", "--out", "s.json.journal"],
  ];

  test.each(CASES.map((args) => [args.join(" "), args] as const))("plan %s fails", async (_, args) => {
    place.write("cdktf.json", { app: "true" });
    place.write("v.json", {});
    place.write("w.yaml", "waivers: []\n");
    place.write("policy.js", "exports.rules = [];\n");
    symlinkSync(at("p.json"), at("linked.json"));
    const read = () => ["cfg/main.tf.json", "cdktf.json", "v.json", "w.yaml", "policy.js"].map(place.read);
    const before = read();
    const asked = place.service.requests.all.length;
    const { code, err } = await place.run([...PLAN, ...args, "--force"]);
    expect(code).toBe(1);
    expect(err).toContain("Error: One file for two purposes");
    expect(read()).toEqual(before);
    expect(["p.json", "p.md", "s.json", state].filter((name) => existsSync(at(name)))).toEqual([]);
    expect(place.service.requests.all.length).toBe(asked);
  });

  test("drift can read and replace one file with --since and --report", async () => {
    await place.run(["apply", "--config", "cfg", "--auto-approve"]);
    for (const more of [[], ["--since", "last.json"], ["--since", "last.json"]])
      expect(await place.run(["drift", "--config", "cfg", "--report", "last.json", ...more])).toMatchObject({
        code: 0,
      });
  });
});

test("the definition of each option for a file says whether the command reads or writes the file", () => {
  // Options that name programs, or files with the data of programs. The command does not replace these files, and does not
  // read them as text.
  const OTHERS = new Set([
    "--data",
    "--admin-token-file",
    "--fixture",
    "--executable",
    "--webhook-file",
    "--owners",
    "--approval",
    "--into",
  ]);
  const silent = COMMANDS.flatMap(({ line }) =>
    Object.values({ ...line.options, ...line.operands })
      .flat()
      .filter(({ flags, file }) => /<(?:file|report|module|path)\b/.test(flags) && file === undefined)
      .map(({ flags }) => `${line.name} ${flags}`),
  );
  // `ci judge --config` names a file of the merge request, not a file of this machine.
  const isOther = (one: string) =>
    [...OTHERS].some((name) => one.includes(` ${name} `)) || /^(?:state push|ci judge --config) /.test(one);
  expect(silent.filter((one) => !isOther(one))).toEqual([]);
});
