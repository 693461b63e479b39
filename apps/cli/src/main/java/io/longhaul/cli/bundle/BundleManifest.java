// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.cli.command.Version;
import io.longhaul.cli.text.JsonText;
import io.longhaul.file.ServerFile;
import io.longhaul.file.ServerFile.Checked;
import io.longhaul.receiver.PlainHosts.Companions;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** What a bundle tells its host ({@code manifest.json}), and a registry its readers ({@code server.json}). */
record BundleManifest(Checked checked, Optional<BundleRuntime> runtime, String author) {
    /** Where the file of tools lies in the bundle. */
    static final String TOOLS = "tools/";

    private static final int LONGEST_SUMMARY = 100;

    private ServerFile server() {
        return checked.file();
    }

    /** The version of the file with the three numbers that bundles have. */
    private String version() {
        var version = server().version();
        return version.matches("\\d+") ? version + ".0.0" : version.matches("\\d+\\.\\d+") ? version + ".0" : version;
    }

    String fileName() {
        return server().name() + "-" + version().replaceAll("[^A-Za-z0-9_.+-]", "-") + ".mcpb";
    }

    /** A sentence for people: hosts and registries show one before anything runs. */
    private String summary() {
        var first = Optional.ofNullable(server().instructions())
                .flatMap(text -> text.strip().lines().findFirst())
                .orElseGet(() -> "Tools: "
                        + server().tools().stream().map(tool -> tool.name()).collect(Collectors.joining(", ")));
        return first.length() <= LONGEST_SUMMARY ? first : first.substring(0, LONGEST_SUMMARY - 3) + "...";
    }

    ObjectNode json() throws IOException {
        var json = JsonText.object()
                .put("manifest_version", "0.3")
                .put("name", server().name())
                .put("version", version())
                .put("description", summary());
        JsonText.add(json, "long_description", server().instructions());
        json.putObject("author").put("name", author);
        addServer(json.putObject("server"));
        var tools = json.putArray("tools");
        server().tools().forEach(tool -> {
            var entry = tools.addObject().put("name", tool.name());
            JsonText.add(entry, "description", tool.label().description());
        });
        // Those of upstreams, and the companions for hosts that know no tasks.
        json.put(
                "tools_generated",
                !server().upstreams().isEmpty() || server().hosts().companions() != Companions.NONE);
        var compatibility = json.putObject("compatibility");
        JsonText.add(
                compatibility,
                "platforms",
                runtime.map(inside -> List.of(inside.platform())).orElse(List.of("darwin", "linux")));
        if (!checked.secrets().variables().isEmpty()) {
            var config = json.putObject("user_config");
            checked.secrets()
                    .variables()
                    .forEach((variable, field) -> config.putObject(variable)
                            .put("type", "string")
                            .put("title", variable)
                            .put("description", "For " + field + " of " + server().name())
                            .put("sensitive", true)
                            .put("required", true));
        }
        return json;
    }

    private void addServer(ObjectNode json) throws IOException {
        var served = TOOLS + server().path().getFileName();
        json.put("type", runtime.isPresent() ? "binary" : "node");
        json.put("entry_point", runtime.isPresent() ? BundleRuntime.FOLDER + "bin/longhaul" : served);
        var config = json.putObject("mcp_config").put("command", runtime.isPresent() ? "sh" : "npx");
        var arguments = config.putArray("args");
        if (runtime.isPresent()) {
            arguments.add("-c").add(runtime.get().script()).add("${__dirname}/longhaul");
        } else {
            // The version that has checked the file. Hosts bring npx, but not a longhaul on their PATH.
            var version = Version.TEXT.matches("\\d.*") ? "@" + Version.TEXT : "";
            arguments.add("-y").add("--package=longhaul" + version).add("longhaul");
        }
        arguments.add("serve").add("--stdio").add("${__dirname}/" + served);
        var env = config.putObject("env");
        checked.secrets().variables().keySet().forEach(name -> env.put(name, "${user_config." + name + "}"));
    }

    /** The entry of a registry for a bundle: its constant part is a resource. */
    ObjectNode listing(String name, String address, byte[] bundle) {
        try (var constant = BundleManifest.class.getResourceAsStream("server.json")) {
            var text = new String(Objects.requireNonNull(constant).readAllBytes(), UTF_8);
            var json = (ObjectNode) JsonText.read(text);
            json.put("name", name)
                    .put("title", server().name())
                    .put("description", summary())
                    .put("version", version());
            var digest = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bundle));
            ((ObjectNode) json.at("/packages/0")).put("identifier", address).put("fileSha256", digest);
            return json;
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
