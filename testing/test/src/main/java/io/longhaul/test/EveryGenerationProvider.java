// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs a test once for each generation. */
final class EveryGenerationProvider implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return annotation(context).isPresent();
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        var wanted = List.of(annotation(context).orElseThrow().that());
        return ClientDialects.spoken().stream()
                .filter(generation -> wanted.stream().allMatch(generation.revision()::has))
                .map(Speaking::new);
    }

    private static Optional<EveryGeneration> annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), EveryGeneration.class);
    }

    /** One run of the test. */
    private record Speaking(Generation generation)
            implements TestTemplateInvocationContext, BeforeEachCallback, ParameterResolver {

        @Override
        public String getDisplayName(int number) {
            return generation.label();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            context.getStore(LonghaulExtension.HERE).put(Generation.class, generation);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Generation.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return generation;
        }
    }
}
