FROM node:24-bookworm-slim

WORKDIR /opt/sightline
COPY . .
# Fetches the tools that write generated code and build the dashboard, and throws them away in the same layer.
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force

# The service makes its folder itself, readable by its user alone.
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data/sightline HOST=0.0.0.0 PORT=4000 TRACKER_PORT=4001
VOLUME /data
EXPOSE 4000 4001
USER node

HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "cli/sightline.js", "serve"]
