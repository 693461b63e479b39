package io.longhaul.bench;

/** What the load generators send. */
final class Wire {

    /** The revision that they speak, given by the script that starts them: a protocol date stands in no source but dialects. */
    static final String VERSION = System.getProperty("longhaul.bench.version");

    private Wire() {}
}
