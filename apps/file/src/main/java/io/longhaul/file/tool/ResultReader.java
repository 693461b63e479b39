// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tool;

import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.file.tool.ToolEntry.JsonOutput;
import io.longhaul.file.tool.ToolEntry.Result;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.value.InputReader;
import io.longhaul.file.value.SchemaMistakes;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads which output of a command becomes the result of its tool. */
record ResultReader(FileFields file, String at) {
    Result read() {
        var errors = file.text(at + "/stderr");
        if (isJson() && "output".equals(errors)) {
            var fix = "Leave it out: a line on standard error is no part of the JSON object";
            file.wrong(at + "/stderr", "output stands beside result: json", fix);
        }
        var advice = "Write one such as latin1, windows-1252, Shift_JIS or GB18030";
        return new Result(
                file.text(at + "/hide"),
                file.flag(at + "/raw"),
                isJson() || "log".equals(errors),
                file.parsed(at + "/encoding", "an encoding with ASCII characters", ResultReader::charset, advice),
                json());
    }

    private static Optional<Charset> charset(String name) {
        try {
            return Optional.of(Charset.forName(name)).filter(ShellCommand::isReadable);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private boolean isJson() {
        return "json".equals(file.text(at + "/result"));
    }

    private @Nullable JsonOutput json() {
        boolean isJson = isJson();
        for (var field : List.of("output", "outputSchema")) {
            if (file.has(at + "/" + field) && !isJson && !file.isTakenOut(at + "/result")) {
                file.wrong(at + "/" + field, "needs output that is JSON", "Write result: json beside it");
            }
        }
        if (!isJson) {
            return null;
        }
        if (file.flag(at + "/raw")) {
            file.wrong(at + "/raw", "stands beside result: json", "Keep one of the two");
        }
        var schema = schema();
        if (schema != null && file.flag(at + "/resume/always")) {
            var fix = "Leave out always: a part of the result is not what is promised of the whole";
            file.wrong(at + "/resume/always", "stands beside the schema of the result", fix);
        }
        return new JsonOutput(schema);
    }

    private @Nullable ObjectNode schema() {
        var full = at + "/outputSchema";
        if (file.has(full)) {
            file.apart(full, "Keep one of the two", at, "output");
            SchemaMistakes.whole(full, file);
            return (ObjectNode) file.node(full);
        }
        return file.has(at + "/output") ? new InputReader(file, true).read(at + "/output") : null;
    }
}
