package io.longhaul.cli.config;

/**
 * A file of tools cannot be used. The message is for the user: file, line, column, field, what is wrong and what to
 * do.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(message, null, false, false);
    }
}
