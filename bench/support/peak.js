// Loaded into a measured process. At its end, it writes the peak memory in KiB and the processor time in microseconds
// to descriptor 3. With BENCH_USAGE, it writes them to a separate file in that folder, for a process that another
// program starts.
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
 * The peak since the start of the program, if the system reports it. The peak of `resourceUsage` includes the memory
 * of the parent process at its fork.
 */
function peak() {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
