// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.file.script.ScriptLanguage;
import io.longhaul.protocol.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** One tool in four languages: three steps, two questions, a child, partial output and a file. */
final class ScriptedTool {

    /** Answers both questions. */
    static final QuestionHandler ANSWERS = QuestionHandler.NONE.forms(
            form -> new Reply.Accepted(Json.raw(form.message().equals("Who?") ? "{\"name\":\"Eve\"}" : "{}")));

    private static final Map<String, String> PROGRAMS = Map.of("python", "python3");

    private ScriptedTool() {}

    static String name(String language) {
        return language.equals("java") ? "java" : "publish";
    }

    /** Writes the file of tools and the script of a language; aborts the test where its program is not here. */
    static void write(Path folder, String language) throws IOException, InterruptedException {
        var run = "[echo, none]";
        if (!language.equals("java")) {
            var script = ScriptLanguage.valueOf(language.toUpperCase(Locale.ROOT));
            var files = script.files();
            var helper = files.keySet().stream()
                    .filter(name -> name.startsWith("longhaul."))
                    .findFirst()
                    .orElseThrow();
            var name = helper.replace("longhaul", "publish");
            var program = PROGRAMS.getOrDefault(language, language);
            assumeTrue(isThere(program), program + " is not here");
            Files.writeString(folder.resolve(helper), files.get(helper));
            try (var text = ScriptedTool.class.getResourceAsStream(name)) {
                Files.copy(text, folder.resolve(name));
            }
            run = "[" + program + ", " + name + "]";
        }
        Files.writeString(folder.resolve("tools.yaml"), """
            limits: {crashAttempts: 1000}
            hosts: {impatient-host: {hold: 1s}}
            tools:
              publish: {command: %s, onCrash: restart, suspendAfter: 1s}
              greet: {command: [echo, 'Hello {name}'], input: {name: string}}
            """.formatted(run));
    }

    private static boolean isThere(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("/bin/sh", "-c", "command -v " + program)
                        .start()
                        .waitFor()
                == 0;
    }
}
