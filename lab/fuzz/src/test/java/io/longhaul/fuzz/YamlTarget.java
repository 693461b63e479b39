// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.file.ServerFile;
import io.longhaul.file.tree.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Input: a file of tools. It is read, or told in a line for each mistake where and why it cannot be used, without a
 * character that would do something to a terminal.
 */
final class YamlTarget implements Target {

    private final Path file;

    YamlTarget() {
        try {
            file = Files.createTempFile("longhaul-fuzz", ".yaml");
            file.toFile().deleteOnExit();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void feed(byte[] input) throws IOException {
        Files.write(file, input);
        try {
            var read = ServerFile.read(file);
            Target.require(!read.tools().isEmpty(), "a file without tools is taken");
        } catch (ConfigException e) {
            Target.require(!e.mistakes().isEmpty(), "no mistake is told");
            for (var mistake : e.mistakes()) {
                var why = mistake.text();
                Target.require(why.startsWith(file.toString()), "the file is not named: %s", why);
                Target.require(why.chars().noneMatch(Character::isISOControl), "control characters: %s", why);
            }
        }
    }
}
