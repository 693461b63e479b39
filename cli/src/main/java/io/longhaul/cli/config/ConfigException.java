package io.longhaul.cli.config;

import io.longhaul.cli.terminal.SafeText;

/**
 * A file of tools cannot be used. The message is for the user: file, line, column, field, what is wrong and what to
 * do, on one line, and harmless for a terminal whatever the file says.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(SafeText.line(message), null, false, false);
    }
}
