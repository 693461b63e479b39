// Bundles by the official validator, and the entries of the registry by its rules.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { check, here, longhaul, root, run } from "./common.mjs";

const mcpb = join(here, "node_modules/.bin/mcpb");

/** What the registry asks of an entry: its schema of 2025-12-11, and its requirements for packages. */
function entry(file) {
  const json = JSON.parse(readFileSync(file, "utf8"));
  const text = (value, most) => typeof value === "string" && value.length > 0 && value.length <= most;
  check(json.$schema?.endsWith("/2025-12-11/server.schema.json"), `${file}: $schema`);
  check(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(json.name) && text(json.name, 200), `${file}: name`);
  check(text(json.title, 100) && text(json.description, 100), `${file}: title or description`);
  check(text(json.version, 255) && !/^[\^~<>=]|latest|[.]x$|[*]/.test(json.version), `${file}: version`);
  check(json.packages.length > 0, `${file}: packages`);
  for (const each of json.packages) {
    check(["npm", "mcpb"].includes(each.registryType) && each.transport.type === "stdio", `${file}: package`);
    if (each.registryType === "mcpb") {
      check(/^https:.*mcp/.test(each.identifier) && /^[a-f0-9]{64}$/.test(each.fileSha256), `${file}: bundle`);
    } else {
      check(text(each.version, 255) && each.version === json.version, `${file}: version of the package`);
    }
    for (const argument of each.packageArguments ?? []) {
      check(argument.type === "positional" && (argument.value || argument.valueHint), `${file}: argument`);
    }
    check(!each.runtimeArguments || each.runtimeHint, `${file}: runtimeHint`);
  }
  return json;
}

const work = mkdtempSync(join(tmpdir(), "longhaul-bundle"));
try {
  mkdirSync(join(work, "bin"));
  writeFileSync(join(work, "bin/make"), "#!/bin/sh\necho made\n", { mode: 0o755 });
  writeFileSync(
    join(work, "tools.yaml"),
    `name: reports
instructions: Makes reports.
tools:
  make: {description: Makes one, command: [bin/make], env: {KEY: {env: API_KEY}}}
`,
  );
  const bundle = join(work, "reports-1.0.0.mcpb");
  const at = "https://example.com/reports.mcpb";
  run(longhaul, ["bundle", "tools.yaml", "--registry=io.github.ada/reports", `--at=${at}`], { cwd: work });
  run(mcpb, ["unpack", bundle, join(work, "unpacked")]);
  run(mcpb, ["validate", join(work, "unpacked/manifest.json")]);
  check(statSync(join(work, "unpacked/tools/bin/make")).mode & 0o100, "a script is no program after it was unpacked");
  const listed = entry(join(work, "server.json")).packages[0];
  const digest = createHash("sha256").update(readFileSync(bundle)).digest("hex");
  check(listed.fileSha256 === digest && listed.identifier === at, "server.json names another bundle");
} finally {
  rmSync(work, { recursive: true });
}

const ours = entry(join(here, "server.json"));
const version = /<version>(.*)<\/version>/.exec(readFileSync(join(root, "pom.xml"), "utf8"))[1];
check(ours.version === version, `server.json has the version ${ours.version}, and the project ${version}`);
// The registry takes a package of npm whose package.json names the server.
const npm = join(root, "release/dist/npm/package.json");
if (existsSync(npm)) {
  check(JSON.parse(readFileSync(npm, "utf8")).mcpName === ours.name, `${npm}: mcpName is not ${ours.name}`);
}
console.log("packages: the official validator finds no fault with a bundle, nor the rules of the registry with entries");
