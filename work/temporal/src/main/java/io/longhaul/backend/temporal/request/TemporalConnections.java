// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

import io.grpc.Metadata;
import io.temporal.serviceclient.GrpcMetadataProvider;
import io.temporal.serviceclient.SimpleSslContextBuilder;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** The connections to Temporal: one for each namespace. Thread-safe. */
public final class TemporalConnections implements AutoCloseable {

    private final Map<TemporalServer, WorkflowServiceStubs> open = new HashMap<>();

    /** @throws UncheckedIOException where a file of the TLS settings cannot be used */
    synchronized WorkflowServiceStubs to(TemporalServer server) {
        return open.computeIfAbsent(server, TemporalConnections::connect);
    }

    private static WorkflowServiceStubs connect(TemporalServer server) {
        var options = WorkflowServiceStubsOptions.newBuilder().setTarget(server.address());
        server.encryption().ifPresent(encryption -> encrypt(options, encryption));
        options.addGrpcMetadataProvider(Headers.to(server));
        return WorkflowServiceStubs.newServiceStubs(options.build());
    }

    /**
     * A class of its own, made by a method of its own: the JVM checks this one without a class of gRPC, so that a
     * server without workflows loads none, and needs none.
     */
    private record Headers(TemporalServer server) implements GrpcMetadataProvider {
        private static final Metadata.Key<String> AUTHORIZATION =
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
        private static final Metadata.Key<String> NAMESPACE =
                Metadata.Key.of("temporal-namespace", Metadata.ASCII_STRING_MARSHALLER);

        private static GrpcMetadataProvider to(TemporalServer server) {
            return new Headers(server);
        }

        @Override
        public Metadata getMetadata() {
            var headers = new Metadata();
            headers.put(NAMESPACE, server.namespace());
            if (server.key().isPresent()) {
                try {
                    headers.put(AUTHORIZATION, "Bearer " + server.key().get().read());
                } catch (IOException e) {
                    throw new UncheckedIOException("the API key of Temporal cannot be used", e);
                }
            }
            return headers;
        }
    }

    private static void encrypt(WorkflowServiceStubsOptions.Builder options, TemporalServer.Encryption encryption) {
        if (encryption.authority().isEmpty() && encryption.identity().isEmpty()) {
            options.setEnableHttps(true);
            return;
        }
        try {
            var context = encryption.identity().isPresent()
                    ? identified(encryption.identity().get())
                    : SimpleSslContextBuilder.noKeyOrCertChain();
            if (encryption.authority().isPresent()) {
                context.setTrustManager(trusting(encryption.authority().get()));
            }
            options.setSslContext(context.build());
        } catch (IOException e) {
            throw new UncheckedIOException("the TLS settings of Temporal cannot be used", e);
        }
    }

    private static SimpleSslContextBuilder identified(TemporalServer.Identity identity) throws IOException {
        // The builder closes neither stream, and reads both only when the context is built.
        return SimpleSslContextBuilder.forPKCS8(read(identity.certificate()), read(identity.key()));
    }

    private static InputStream read(Path file) throws IOException {
        return new ByteArrayInputStream(Files.readAllBytes(file));
    }

    private static TrustManager trusting(Path authority) throws IOException {
        try (var file = new FileInputStream(authority.toFile())) {
            var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                trusted.setCertificateEntry(String.valueOf(number++), certificate);
            }
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            return managers.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IOException(authority + " has no certificates", e);
        }
    }

    @Override
    public synchronized void close() {
        // A method reference would look for the class where there is no connection.
        for (var connection : open.values()) {
            connection.shutdownNow();
        }
    }
}
