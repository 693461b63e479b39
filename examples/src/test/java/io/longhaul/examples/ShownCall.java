// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The first call of {@code longhaul call} that the README of an example shows. */
record ShownCall(String example, String tool, Map<String, Object> arguments) {

    private static final Pattern CALL = Pattern.compile(
            "(?m)^\\./longhaul call http://127\\.0\\.0\\.1:8080/mcp (\\w+)((?: \\w+=(?:\"[^\"]*\"|\\S+))*)");

    private static final Pattern ARGUMENT = Pattern.compile(" (\\w+)=(?:\"([^\"]*)\"|(\\d+)(?!\\S)|(\\S+))");

    static ShownCall of(String example) throws IOException {
        var call = CALL.matcher(Files.readString(Path.of(example, "README.md")));
        assertThat(call.find()).as("the README of %s shows a call", example).isTrue();
        Map<String, Object> arguments = new TreeMap<>();
        ARGUMENT.matcher(call.group(2)).results().forEach(given -> {
            var text = given.group(2) == null ? given.group(4) : given.group(2);
            arguments.put(given.group(1), text == null ? Integer.parseInt(given.group(3)) : text);
        });
        return new ShownCall(example, call.group(1), arguments);
    }

    /** This call with another value of an argument, with which the work takes less time. */
    ShownCall with(String argument, Object value) {
        Map<String, Object> all = new TreeMap<>(arguments);
        all.put(argument, value);
        return new ShownCall(example, tool, all);
    }
}
