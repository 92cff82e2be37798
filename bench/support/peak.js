// Loaded into a measured process: at its end it says on descriptor 3 how much memory it took at the most, in KiB, and
// for how many microseconds the processor worked for it.
const { readFileSync, writeSync } = require("node:fs");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ kibibytes: peak(), microseconds: userCPUTime + systemCPUTime }));
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
