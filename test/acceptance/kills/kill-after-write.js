// Loaded into a command by NODE_OPTIONS: kills it with SIGKILL once its write to a folder with this number is done. Writes
// are what others can see of one: a file that is made, put in the place of another, or removed.
const fs = require("node:fs/promises");

const at = Number(process.env.KILL_AFTER_WRITE);
let writes = 0;

function count(name, isWrite = () => true) {
  const original = fs[name];
  fs[name] = async (...given) => {
    const answer = await original(...given);
    if (isWrite(...given) && ++writes === at) {
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    }
    return answer;
  };
}

for (const name of ["rename", "rm", "unlink", "link", "writeFile"]) count(name);
count("open", (_file, flags = "r") => flags !== "r");
