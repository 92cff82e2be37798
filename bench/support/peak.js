// Loaded into a measured process: at its end it says on descriptor 3 how much memory it took at the most, in KiB, and
// for how many microseconds the processor worked for it. With BENCH_USAGE it writes that to a file of its own in that
// folder instead, for a process that another program starts.
const { readFileSync, writeFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = JSON.stringify({ kibibytes: peak(), microseconds: userCPUTime + systemCPUTime });
  const folder = process.env.BENCH_USAGE;
  if (folder === undefined) writeSync(3, usage);
  else writeFileSync(join(folder, `${process.pid}.json`), usage);
});

/**
 * Where the system tells it, the peak since the program began: the peak of `resourceUsage` includes the memory of the
 * process that started this one, as it was when it forked.
 */
function peak() {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
