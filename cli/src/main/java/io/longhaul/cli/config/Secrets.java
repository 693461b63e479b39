package io.longhaul.cli.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Secrets that a file of tools names and does not hold. */
final class Secrets {
    private Secrets() {}

    /** @param base what paths are counted from */
    static String ofFile(Entry file, Path base) {
        var path = base.resolve(file.text()).normalize();
        try {
            return Files.readString(path).strip();
        } catch (IOException e) {
            throw file.bad(path + " cannot be read", "Write the secret there, for this user alone");
        }
    }

    static String ofVariable(@Nullable Entry variable, Map<String, String> env) {
        var name = variable == null ? "" : variable.text();
        var secret = env.getOrDefault(name, "");
        if (secret.isEmpty() && variable != null) {
            throw variable.bad("the variable " + name + " is not set", "Set it where the server is started");
        }
        return secret;
    }
}
