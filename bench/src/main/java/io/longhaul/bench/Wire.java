package io.longhaul.bench;

/** What the load generators send. */
final class Wire {

    /** The revision that they speak, given by the script that starts them: only dialects have protocol dates. */
    static final String VERSION = System.getProperty("longhaul.bench.version");

    private Wire() {}
}
