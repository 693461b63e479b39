/** stdio, server-sent events and the HTTP client of the JDK: bytes to messages, and back. */
module io.longhaul.transport {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.protocol;
    requires transitive java.net.http;
    requires jdk.net;
    requires org.slf4j;

    exports io.longhaul.transport;
}
