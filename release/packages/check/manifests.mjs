// The manifests of Kubernetes: kustomize and Helm make them, their types know each field, and they fit together.
import { deepStrictEqual } from "node:assert";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chart, check, container, fail, here, kind, overlay, parse, root, run, STORE } from "./common.mjs";

const made = {
  single: overlay("single"),
  nodes: overlay("nodes"),
  gateway: overlay("gateway"),
  "chart of one node": chart(),
  "chart of nodes": chart(`store.url=${STORE}`),
  "chart of a gateway": chart(`store.url=${STORE}`, "gateway=true", "autoscaling.enabled=false"),
};
run(join(here, "target/helm/helm"), ["lint", "--strict", join(here, "kubernetes/chart")]);

// The compiler of TypeScript refuses a field that a type does not have, and a value of another type.
const imports = new Map();
const lines = Object.values(made)
  .flat()
  .map((object, index) => {
    const [group, version] = object.apiVersion.includes("/") ? object.apiVersion.split("/") : ["", object.apiVersion];
    const from = `kubernetes-models/${group ? group + "/" : ""}${version}/${object.kind}`;
    imports.set(object.kind, `import { I${object.kind} } from "${from}";`);
    return `export const o${index}: I${object.kind} = ${JSON.stringify(object)};`;
  });
mkdirSync(join(here, "target"), { recursive: true });
writeFileSync(join(here, "target/typed.ts"), [...imports.values(), ...lines].join("\n"));
const options = "--noEmit --strict --skipLibCheck --target es2022 --module nodenext --moduleResolution nodenext";
run(join(here, "node_modules/.bin/tsc"), [...options.split(" "), join(here, "target/typed.ts")]);

const seconds = (text) => Number(/^(\d+)s$/.exec(text)[1]);
for (const [name, objects] of Object.entries(made)) {
  const set = kind(objects, "StatefulSet").spec;
  const pod = set.template.spec;
  const labels = set.template.metadata.labels;
  const selected = (selector) => Object.entries(selector).every(([key, value]) => labels[key] === value);
  check(selected(set.selector.matchLabels), `${name}: the set does not select its pods`);
  check(selected(kind(objects, "PodDisruptionBudget").spec.selector.matchLabels), `${name}: the budget has no pods`);
  for (const service of objects.filter((each) => each.kind === "Service")) {
    check(selected(service.spec.selector), `${name}: a service has no pods`);
  }
  const named = objects.map((each) => each.metadata.name);
  check(named.includes(set.serviceName), `${name}: there is no service ${set.serviceName}`);
  const config = pod.volumes.find((volume) => volume.configMap).configMap.name;
  check(named.includes(config), `${name}: there is no config map ${config}`);
  const { args, startupProbe, livenessProbe, readinessProbe, lifecycle } = container(objects);
  const ports = container(objects).ports.map((port) => port.name);
  for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
    check(ports.includes(probe.httpGet.port), `${name}: a probe of a port that is not there`);
  }
  // First the drain, then the lame duck that outlasts a look of the probe, and the end before a kill.
  const lameDuck = seconds(args.find((arg) => arg.startsWith("--limit=lameDuck=")).split("=")[2]);
  check(readinessProbe.periodSeconds * readinessProbe.failureThreshold < lameDuck, `${name}: the lame duck is too short`);
  const drain = lifecycle ? Number(/timeout (\d+) longhaul drain/.exec(lifecycle.preStop.exec.command[2])[1]) : 0;
  check(drain + lameDuck + 20 <= pod.terminationGracePeriodSeconds, `${name}: the grace ends before the server does`);
  const isShared = args.some((arg) => arg.startsWith("--store="));
  check(isShared === Boolean(lifecycle), `${name}: nodes are drained, and one node alone is not`);
  check(isShared || set.replicas === 1, `${name}: several nodes without a database`);
  const scaler = kind(objects, "HorizontalPodAutoscaler");
  check(!scaler || isShared, `${name}: one node cannot be scaled`);
  const rule = parse(readFileSync(join(here, "kubernetes/overlays/nodes/adapter-rule.yaml"), "utf8"))[0];
  check(!scaler || scaler.spec.metrics[0].pods.metric.name === rule.name.as, `${name}: no rule makes the metric`);
  const documented = readFileSync(join(root, "docs/OPERATING.md"), "utf8");
  check(documented.includes("`" + rule.seriesQuery.split("{")[0] + "`"), "the rule is of a metric that no page has");
}

// Kustomize and the chart say the same.
function compared(objects) {
  const set = structuredClone(kind(objects, "StatefulSet").spec);
  const pod = set.template.spec;
  for (const labelled of [set, pod.topologySpreadConstraints?.[0] ?? {}]) {
    delete labelled.selector;
    delete labelled.labelSelector;
  }
  delete set.template.metadata;
  delete set.volumeClaimTemplates[0].metadata.labels;
  // A set that is scaled has no figure of its own in the chart.
  delete set.replicas;
  pod.volumes = pod.volumes.map((volume) => (volume.configMap ? "tools" : volume));
  const env = pod.containers[0].env.map((each) => [each.name, each.name === "LONGHAUL_STORE" ? "" : each]);
  pod.containers[0].env = Object.fromEntries(env);
  return [set, kind(objects, "HorizontalPodAutoscaler")?.spec];
}
for (const [one, other] of [["single", "chart of one node"], ["nodes", "chart of nodes"]]) {
  try {
    deepStrictEqual(compared(made[other]), compared(made[one]));
  } catch (e) {
    fail(`kustomize and the chart differ for ${one}:\n${e.message}`);
  }
}
const storeless = run("sh", [
  "-c",
  `! "${join(here, "target/helm/helm")}" template x "${join(here, "kubernetes/chart")}" --set gateway=true 2>&1`,
]);
check(storeless.includes("a gateway of several nodes needs store.url"), "a gateway without a database is made");
console.log("packages: kubectl and helm make manifests that their types know and that fit together");
