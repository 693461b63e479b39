// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The official validator reads bundles in {@code release/packages/check}. */
class BundleCommandTest {
    private static final String SECRETS = """
        name: reports
        version: "2.1"
        instructions: Makes reports.
        tools:
          make: {description: Makes one, command: [bin/make, "{x}"], input: {x: string}, env: {KEY: {env: API_KEY}}}
          send: {http: {url: "https://api.example.com/", headers: {Authorization: {env: TOKEN, before: "Bearer "}}}}
        """;

    @TempDir
    Path folder;

    private TestTerminal user = TestTerminal.silent();
    private Path bundle;

    private int bundle(String yaml, String... options) throws IOException {
        user = TestTerminal.silent();
        bundle = folder.resolve("made.mcpb");
        Files.writeString(folder.resolve("tools.yaml"), yaml);
        var line =
                new ArrayList<>(List.of("bundle", folder.resolve("tools.yaml").toString()));
        line.addAll(List.of("--to", bundle.toString(), "--author", "Ada"));
        line.addAll(List.of(options));
        return new Cli(user.terminal()).run(line);
    }

    private Path program(String name) throws IOException {
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> names() throws IOException {
        try (var zip = new ZipFile(bundle.toFile())) {
            return zip.stream().map(ZipEntry::getName).toList();
        }
    }

    private JsonNode manifest() throws IOException {
        try (var zip = new ZipFile(bundle.toFile());
                var in = zip.getInputStream(zip.getEntry("manifest.json"))) {
            return JsonText.read(new String(in.readAllBytes(), UTF_8));
        }
    }

    @Test
    void the_bundle_has_the_file_its_scripts_and_their_helpers_and_nothing_else() throws IOException {
        program("bin/make");
        program("bin/unused");
        Files.writeString(folder.resolve("bin/longhaul.sh"), "");
        Files.writeString(folder.resolve("more.csv"), "");
        assertThat(bundle(SECRETS)).isEqualTo(ExitCode.OK);
        assertThat(names())
                .containsExactly("manifest.json", "tools/bin/longhaul.sh", "tools/bin/make", "tools/tools.yaml");
        assertThat(bundle(SECRETS, "--include", "bin", "--include=more.csv")).isEqualTo(ExitCode.OK);
        assertThat(names()).contains("tools/bin/unused", "tools/more.csv");
    }

    @Test
    void the_bundle_has_openapi_documents_and_what_they_refer_to() throws IOException {
        Files.createDirectories(folder.resolve("api/parts"));
        Files.writeString(
                folder.resolve("api/main.yaml"),
                "openapi: 3.1.0\nservers: [{url: 'http://localhost:1'}]\npaths: {/a: {$ref: parts/a.yaml}}");
        Files.writeString(folder.resolve("api/parts/a.yaml"), "get: {}");
        assertThat(bundle("openapi: {file: api/main.yaml}")).as(user.err()).isEqualTo(ExitCode.OK);
        assertThat(names())
                .containsExactly("manifest.json", "tools/api/main.yaml", "tools/api/parts/a.yaml", "tools/tools.yaml");
        Files.createDirectories(folder.resolve("inner"));
        Files.writeString(folder.resolve("inner/tools.yaml"), "openapi: {file: ../api/main.yaml}");
        var line = List.of("bundle", folder.resolve("inner/tools.yaml").toString());
        assertThat(new Cli(user.terminal()).run(line)).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("openapi needs ").contains("outside of the folder of the file");
    }

    @Test
    void the_bundle_has_the_file_of_a_host_whose_servers_the_file_takes() throws IOException {
        var servers = "{\"mcpServers\": {\"a\": {\"command\": \"ls\"}}}";
        Files.writeString(folder.resolve("mcp.json"), servers);
        assertThat(bundle("upstreams: {file: mcp.json}")).as(user.err()).isEqualTo(ExitCode.OK);
        assertThat(names()).containsExactly("manifest.json", "tools/mcp.json", "tools/tools.yaml");
        assertThat(user.err()).contains("mcp.json is in the bundle with all that is written in it. Write ${NAME}");
        Files.writeString(folder.resolveSibling("other.json"), servers);
        Files.delete(bundle);
        assertThat(refused("upstreams: {file: ../other.json}"))
                .contains("upstreams.file needs ", "outside of the folder of the file");
    }

    @Test
    void programs_are_programs_after_it_is_unpacked() throws IOException {
        program("bin/make");
        bundle(SECRETS);
        try (var zip = FileSystems.newFileSystem(bundle, Map.of("enablePosixFileAttributes", true))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(zip.getPath("tools/bin/make"))))
                    .isEqualTo("rwxr-xr-x");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(zip.getPath("tools/tools.yaml"))))
                    .isEqualTo("rw-r--r--");
        }
    }

    @Test
    void the_host_asks_for_each_variable_that_the_file_names() throws IOException {
        program("bin/make");
        bundle(SECRETS);
        var manifest = manifest();
        assertThat(manifest.get("user_config").propertyNames()).containsExactly("API_KEY", "TOKEN");
        assertThat(manifest.at("/user_config/TOKEN/sensitive").asBoolean()).isTrue();
        assertThat(manifest.at("/user_config/TOKEN/required").asBoolean()).isTrue();
        assertThat(manifest.at("/user_config/API_KEY/description").asString())
                .isEqualTo("For tools.make.env.KEY of reports");
        assertThat(manifest.at("/server/mcp_config/env/TOKEN").asString()).isEqualTo("${user_config.TOKEN}");
        assertThat(manifest.get("version").asString()).isEqualTo("2.1.0");
        assertThat(manifest.at("/tools/0/description").asString()).isEqualTo("Makes one");
    }

    @Test
    void a_bundle_without_a_runtime_is_started_by_npx() throws IOException {
        bundle("tools: {list: {command: [ls]}}");
        assertThat(manifest().at("/server/mcp_config/command").asString()).isEqualTo("npx");
        assertThat(manifest().at("/server/mcp_config/args").toString())
                .isEqualTo("[\"-y\",\"--package=longhaul\",\"longhaul\",\"serve\",\"--stdio\","
                        + "\"${__dirname}/tools/tools.yaml\"]");
        assertThat(manifest().has("user_config")).isFalse();
        assertThat(manifest().get("description").asString()).isEqualTo("Tools: list");
    }

    @Test
    void a_bundle_with_a_runtime_starts_what_is_in_it() throws IOException {
        program("release/bin/longhaul");
        program("release/runtime/bin/java");
        program("release/docs/START.md");
        var time = FileTime.from(Instant.parse("2026-01-02T03:04:05Z"));
        Files.setLastModifiedTime(program("release/longhaul-cli-1.jar"), time);
        var release = folder.resolve("release");
        program("release/runtime/lib/server/libjvm.dylib");
        assertThat(bundle("tools: {list: {command: [ls]}}", "--runtime", release.toString()))
                .isEqualTo(ExitCode.OK);
        assertThat(names())
                .contains("longhaul/bin/longhaul", "longhaul/runtime/bin/java")
                .doesNotContain("longhaul/docs/START.md");
        assertThat(manifest().at("/server/type").asString()).isEqualTo("binary");
        assertThat(manifest().at("/server/mcp_config/command").asString()).isEqualTo("sh");
        assertThat(manifest().at("/server/mcp_config/args/1").asString())
                .contains("touch -t 202601020304.05 *.jar lib/*.jar)")
                .endsWith("exec \"$0/bin/longhaul\" \"$@\"");
        assertThat(manifest().at("/server/mcp_config/args/2").asString()).isEqualTo("${__dirname}/longhaul");
        assertThat(manifest().at("/compatibility/platforms").toString()).isEqualTo("[\"darwin\"]");
    }

    @Test
    void class_archives_that_fit_one_folder_alone_are_left_out() throws IOException {
        program("release/bin/longhaul");
        program("release/runtime/lib/server/libjvm.so");
        program("release/longhaul-cli-1.jar");
        program("release/cache/serve.archive");
        var mark = folder.resolve("release/cache/longhaul-25.trained");
        Files.writeString(mark, "/opt/java /opt/longhaul\n");
        var release = folder.resolve("release").toString();
        assertThat(bundle("tools: {list: {command: [ls]}}", "--runtime", release))
                .isEqualTo(ExitCode.OK);
        assertThat(names()).doesNotContain("longhaul/cache/serve.archive");
        Files.writeString(mark, "shipped\n");
        bundle("tools: {list: {command: [ls]}}", "--runtime", release);
        assertThat(names()).contains("longhaul/cache/serve.archive");
    }

    @Test
    void a_release_without_a_java_of_its_own_is_no_runtime() throws IOException {
        program("release/bin/longhaul");
        var release = folder.resolve("release").toString();
        assertThat(bundle("tools: {list: {command: [ls]}}", "--runtime", release))
                .isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("is no release of Longhaul with a Java").contains("Run bin/make-runtime");
        assertThat(bundle).doesNotExist();
    }

    @Test
    void what_no_bundle_can_have_is_refused_by_its_field() throws IOException {
        assertThat(refused("tools: {a: {command: [ls], env: {T: {file: token}}}}"))
                .contains("tools.a.env.T is a secret in a file");
        assertThat(refused("tools: {a: {command: [sh, ../run.sh]}}")).contains("tools.a needs ");
        assertThat(refused("tools: {a: {command: [ls], cwd: empty}}")).contains("tools.a runs in ");
        assertThat(refused("tls: {cert: a.pem, key: b.pem}\ntools: {a: {command: [ls]}}"))
                .contains("tls is for callers over HTTP");
        assertThat(refused("tools: {a: {command: [ls], timeout: x}}")).contains("tools.a.timeout");
    }

    @Test
    void its_maker_reads_what_the_machines_of_its_users_need() throws IOException {
        var elsewhere = program("elsewhere").toAbsolutePath();
        program("bin/make");
        var own = Files.createTempDirectory(folder.getParent(), "own");
        assertThat(bundle(
                        "tools: {a: {command: [/bin/sh, %s]}, b: {command: [ls, /], cwd: %s}, c: {command: [bin/make]}}"
                                .formatted(elsewhere, own)))
                .isEqualTo(ExitCode.OK);
        assertThat(user.err())
                .contains("longhaul: tools.a needs " + elsewhere + " of each machine: a bundle has only files below the"
                        + " folder of tools.yaml, named from there.")
                .contains("longhaul: tools.b runs in " + own + " of each machine: ")
                .contains(
                        "longhaul: no host can fetch development by npx, because it is no release. Add --runtime DIR.")
                .doesNotContain("tools.c", "/bin/sh");
    }

    private String refused(String yaml) throws IOException {
        Files.writeString(folder.resolveSibling("run.sh"), "");
        Files.createDirectories(folder.resolve("empty"));
        assertThat(bundle(yaml)).isEqualTo(ExitCode.USAGE);
        assertThat(bundle).doesNotExist();
        return user.out() + user.err();
    }

    @Test
    void the_entry_for_a_registry_has_the_digest_of_the_bundle() throws Exception {
        assertThat(bundle(
                        "tools: {list: {command: [ls]}}",
                        "--registry=io.github.ada/reports",
                        "--at=https://example.com/made.mcpb"))
                .isEqualTo(ExitCode.OK);
        var entry = JsonText.read(Files.readString(folder.resolve("server.json")));
        assertThat(entry.get("name").asString()).isEqualTo("io.github.ada/reports");
        assertThat(entry.at("/packages/0/registryType").asString()).isEqualTo("mcpb");
        assertThat(entry.at("/packages/0/fileSha256").asString()).isEqualTo(digest());
    }

    @Test
    void the_same_files_make_the_same_bundle_at_any_time() throws Exception {
        bundle("tools: {list: {command: [ls]}}");
        var first = digest();
        bundle("tools: {list: {command: [ls]}}");
        assertThat(digest()).isEqualTo(first);
        try (var zip = new ZipFile(bundle.toFile())) {
            assertThat(zip.stream().map(entry -> entry.getTimeLocal().getYear()))
                    .containsOnly(2000);
        }
    }

    private String digest() throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(bundle)));
    }

    @Test
    void a_name_and_an_address_that_no_registry_takes_are_refused() throws IOException {
        var yaml = "tools: {list: {command: [ls]}}";
        assertThat(bundle(yaml, "--registry=reports", "--at=https://example.com/made.mcpb"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("a reversed domain, a slash and a name");
        assertThat(bundle(yaml, "--registry=io.github.ada/reports", "--at=http://example.com/made.mcpb"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(bundle(yaml, "--registry=io.github.ada/reports")).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("give both");
    }
}
