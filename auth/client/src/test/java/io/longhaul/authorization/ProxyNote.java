// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;

/** Sends everything by one proxy, and notes what. */
public final class ProxyNote extends ProxySelector {

    private final Proxy proxy;
    private final List<URI> asked;

    private ProxyNote(Proxy proxy, List<URI> asked) {
        this.proxy = proxy;
        this.asked = asked;
    }

    public static ProxySelector of(InetSocketAddress proxy, List<URI> asked) {
        return new ProxyNote(new Proxy(Proxy.Type.HTTP, proxy), asked);
    }

    @Override
    public List<Proxy> select(URI uri) {
        asked.add(uri);
        return List.of(proxy);
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException e) {}
}
