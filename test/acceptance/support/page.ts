import { readFileSync } from "node:fs";
import path from "node:path";
import { programFor } from "../../support/capabilities";
import { ROOT } from "./own-project";

/** A fenced block of a page: commands (`sh`), or a file that its first line names (`ts main.ts`). */
interface Block {
  readonly language: string;
  /** The word after the language: the name of a file, or the program that the commands need. */
  readonly word: string;
  readonly text: string;
}

const fences = (page: string): readonly Block[] =>
  [...page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, word = "", text]) => ({
    language: language!,
    word,
    text: text!,
  }));

/** Reads a page. The path is relative to the root of the repository. */
const readPage = (page: string): string => readFileSync(path.join(ROOT, page), "utf8");

/**
 * Matches commands that install packages. The test does not run these commands, because `.ci/run` runs them in a clean
 * clone.
 */
const INSTALLS = /^npm /;
const runOnCleanClone = readPage(".ci/run");

/** The port of the service on the pages. */
const PORT = "8080";

const PREAMBLE = `set -uo pipefail
root=$PWD
trap 'kill $(jobs -p) 2>/dev/null' EXIT
due() { if [ "$1" -ne "$2" ]; then echo "exit code $1 where $2 is due: $3" >&2; exit 99; fi; }
`;

/**
 * A shell function that replaces `npx steward` by the command of this checkout. Usually, the test process runs the command:
 * it listens at $STEWARD_COMMANDS/socket (`answerCommands`). A command runs in a separate process if it starts programs,
 * keeps running or needs the built bundles. Without the variable STEWARD_COMMANDS, all commands run in separate processes.
 */
const OWN_COMMAND = `npx() {
  [ "$1" = steward ] || { command npx "$@"; return; }
  shift
  case \${STEWARD_COMMANDS:+$1} in exec | serve | mirror | "")
    if [ "$BASHPID" = $$ ]; then node "$STEWARD_PROGRAM" "$@"; else exec node "$STEWARD_PROGRAM" "$@"; fi
    return ;;
  esac
  case " $* " in *" - "*) cat ;; esac > "$STEWARD_COMMANDS/in"
  local code
  code=$({ printf '%s\\0' $# "$PWD" "$@"; env -0; } | curl --silent --fail --data-binary @- --unix-socket "$STEWARD_COMMANDS/socket" http://test)
  cat "$STEWARD_COMMANDS/out"
  cat "$STEWARD_COMMANDS/err" >&2
  return "$code"
}
`;

/**
 * Returns a script with all blocks of a page, in their order. The script writes the files and runs the commands in one
 * shell. Each command must end with the exit code in its comment `# exits N`, or 0.
 */
export const scriptOf = (page: string, port: number): string =>
  OWN_COMMAND + script(page, port, (line) => (INSTALLS.test(line) ? installs(line) : command(line)));

/** Returns the script with all commands as a reader types them, with npm and without the waits of tests. */
export const pageScript = (page: string, port: number): string => script(page, port, typed);

function script(page: string, port: number, run: (line: string) => string): string {
  const blocks = fences(readPage(page)).map((block) => {
    if (block.language === "sh") return isRunnable(block) ? commands(block.text, run) : "";
    return block.word === "" ? "" : fileOf(block);
  });
  return PREAMBLE + blocks.join("\n").replaceAll(PORT, String(port));
}

/** Returns the texts of the files that a page writes, by the names of the files. */
export const filesOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    fences(readPage(page)).flatMap(({ word, text, language }) =>
      word === "" || language === "sh" ? [] : [[word, text]],
    ),
  );

/**
 * Returns whether this machine has the program that a block needs. Tests in `describeWith` are skipped under the same
 * condition.
 */
const isRunnable = ({ word }: Block): boolean =>
  word !== "terraform" || programFor("terraform") !== undefined;

function fileOf({ word, text }: Block): string {
  const file = `"$root/${word}"`;
  return `mkdir -p "$(dirname ${file})"\ncat > ${file} <<'END-OF-FILE'\n${text}END-OF-FILE\n`;
}

function commands(text: string, run: (line: string) => string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map(run).join("\n");
}

function command(line: string): string {
  if (line.endsWith("&"))
    return `${line}\nuntil curl --silent --output /dev/null http://127.0.0.1:${PORT}; do sleep 0.1; done`;
  return typed(line);
}

/** Returns a command of the page, with a check of its exit code. */
function typed(line: string): string {
  if (line.endsWith("&")) return line;
  const code = /# exits (\d)$/.exec(line)?.[1] ?? "0";
  return `code=0\n${line.replace(/ *#.*$/, "")} || code=$?\ndue $code ${code} '${line.replaceAll("'", "'\\''")}'`;
}

function installs(line: string): string {
  for (const part of line.replace(/ *#.*$/, "").split(" && "))
    if (!runOnCleanClone.includes(part)) throw new Error(`Nothing runs \`${part}\`.`);
  return "";
}

/** Returns whether a page has anything to run or to write. */
export const isRun = (page: string): boolean =>
  fences(readPage(page)).some(({ language }) => language === "sh");
