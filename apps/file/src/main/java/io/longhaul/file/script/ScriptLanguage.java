// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.script;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A language that has a helper file for the scripts of tools. */
public enum ScriptLanguage {
    PYTHON("python3", "count_words.py", "longhaul.py", "test_count_words.py", "python3 -m unittest"),
    NODE("node", "count_words.mjs", "longhaul.mjs", "count_words.test.mjs", "node --test"),
    SH("sh", "count_words.sh", "longhaul.sh", "test_count_words.sh", "sh test_count_words.sh");

    private final String program;
    private final String script;
    private final String helper;
    private final String test;
    private final String testing;

    ScriptLanguage(String program, String script, String helper, String test, String testing) {
        this.program = program;
        this.script = script;
        this.helper = helper;
        this.test = test;
        this.testing = testing;
    }

    /** The name of the helper file. */
    public String helperName() {
        return helper;
    }

    /** The text of the helper file, which a script includes from its own folder. */
    public String helper() {
        return text(helper);
    }

    /** A first file of tools. Its tool runs a script of {@link #files}. */
    public String firstFile() {
        return text("tools.yaml").replace("PROGRAM", program).replace("SCRIPT", script);
    }

    /** The files beside the first file of tools, by their names: its script, the helper, and a test of the script. */
    public Map<String, String> files() {
        var files = new LinkedHashMap<String, String>();
        List.of(script, helper, test).forEach(name -> files.put(name, text(name)));
        return files;
    }

    /** The command line that runs the test. */
    public String testing() {
        return testing;
    }

    private static String text(String name) {
        try (var in = ScriptLanguage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not among the classes of this program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
